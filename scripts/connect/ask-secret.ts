import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks for a secret without showing it; without a terminal it is the first line of the standard input. */
export async function askSecret(title: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (process.stdin.isTTY) process.stderr.write(`${title}: `);
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])) as [string];
  lines.close();
  if (process.stdin.isTTY) process.stderr.write('\n');
  return line;
}
