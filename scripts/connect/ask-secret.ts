import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** A question of the command line. */
export interface Question {
  readonly title: string;
  /** Whether the input is shown. */
  readonly shown?: boolean;
}

/**
 * Asks the questions one at a time. A secret is not shown while it is typed. Without a terminal, each line of standard
 * input is an answer; a missing one is ''.
 */
export async function ask(questions: readonly Question[]): Promise<string[]> {
  if (questions.length === 0) return [];
  const isTerminal = process.stdin.isTTY === true;
  let isShown = true;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isTerminal && isShown) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const answers: string[] = [];
  const next = linesOf(lines);
  for (const { title, shown = false } of questions) {
    if (isTerminal) process.stderr.write(`${title}: `);
    isShown = shown;
    answers.push(await next());
    if (isTerminal && !shown) process.stderr.write('\n');
  }
  lines.close();
  return answers;
}

/** Returns the lines one by one, and '' after the last. Lines that arrive early are buffered. */
function linesOf(lines: Interface): () => Promise<string> {
  const iterator = lines[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await iterator.next();
    return done ? '' : value;
  };
}
