/** One line about what is being done now; for people, so it goes to standard error. */
export function step(text: string): void {
  process.stderr.write(`▸ ${text}\n`);
}
