// What people read while something starts. It goes to standard error, apart from what a command prints.

const err = process.stderr;
/** What the last line still lacks: its end, or all of it, since the next one replaces it. */
let open = '';

/** One line about what was done. */
export function step(text) {
  close();
  err.write(`▸ ${text}\n`);
}

/** One line about what is being done, which ends with the seconds that it took. */
export async function timed(text, work) {
  const began = performance.now();
  close();
  err.write(`▸ ${text} `);
  open = 'end';
  try {
    return await work();
  } finally {
    const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    // Other lines may have come in between.
    err.write(open === 'end' ? `${seconds}\n` : `▸ ${text} ${seconds}\n`);
    open = '';
  }
}

/** A line that the next one replaces; nothing where the output is no terminal. */
export function passing(text) {
  if (!err.isTTY) return;
  close();
  err.write(`▸ ${text}`);
  open = 'all';
}

function close() {
  if (open === 'end') err.write('\n');
  if (open === 'all') err.write('\r\x1b[2K');
  open = '';
}
