// Progress messages during a start. They go to standard error, separate from the output of a command.

const err = process.stderr;
/** The part of the last line that is not final: its end, or all of it if the next line replaces it. */
let open = '';

/** One line about a completed step. */
export function step(text) {
  close();
  err.write(`▸ ${text}\n`);
}

/** One line about a step in progress, completed by the seconds that it took, unless other lines were printed in between. */
export async function timed(text, work) {
  const began = performance.now();
  close();
  err.write(`▸ ${text} `);
  open = 'end';
  try {
    return await work();
  } finally {
    if (open === 'end') {
      err.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
      open = '';
    }
  }
}

/** A line that the next one replaces; nothing if the output is not a terminal. */
export function passing(text) {
  if (!err.isTTY) return;
  close();
  err.write(`▸ ${text}`);
  open = 'all';
}

/** Ends the line of `passing`, before other output. */
export function passed() {
  close();
}

function close() {
  if (open === 'end') err.write('\n');
  if (open === 'all') err.write('\r\x1b[2K');
  open = '';
}
