const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Shows one line while the work runs, and how it ended and how long it took; gives what the work gives. */
export async function step(label, work, stream = process.stderr) {
  const started = performance.now();
  const elapsed = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const spinner = stream.isTTY ? startSpinner(stream, () => `${label} ${elapsed()}`) : undefined;
  if (!spinner) stream.write(`${label} ... `);
  const end = (good) => {
    if (spinner) clearInterval(spinner);
    const mark = good ? paint(stream, 32, '✓') : paint(stream, 31, '✗');
    stream.write(
      stream.isTTY ? `\r\u001B[K${mark} ${label} ${elapsed()}\n` : `${good ? 'ok' : 'FAILED'} ${elapsed()}\n`,
    );
  };
  try {
    const result = await work();
    end(result?.failed !== true);
    return result;
  } catch (error) {
    end(false);
    throw error;
  }
}

/** Whether colours may be written: only to a terminal, and not against NO_COLOR. */
export function hasColour(stream) {
  return Boolean(stream.isTTY) && !process.env.NO_COLOR;
}

function paint(stream, colour, text) {
  return hasColour(stream) ? `\u001B[${colour}m${text}\u001B[0m` : text;
}

function startSpinner(stream, text) {
  let frame = 0;
  return setInterval(() => {
    stream.write(`\r\u001B[K${FRAMES[frame++ % FRAMES.length]} ${text()}`);
  }, 100);
}
