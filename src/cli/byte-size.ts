const UNITS = ['kB', 'MB', 'GB'];
const STEP = 1000;

/** A size as a person reads it: `812 B`, `1.5 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < STEP) return `${bytes} B`;
  let size = bytes / STEP;
  let unit = 0;
  while (size >= STEP - 0.5 && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** How many bytes a base64 text stands for. */
export function base64Bytes(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}
