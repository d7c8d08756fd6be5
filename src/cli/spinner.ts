const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** How long one frame is shown. */
export const SPINNER_MS = 100;

/** The mark of something under way, which turns as the number grows. */
export function spinnerFrame(number: number): string {
  return FRAMES[number % FRAMES.length] ?? '';
}
