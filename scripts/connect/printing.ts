/** Prints what a command gives: a value as JSON for programs, or a text for people. */
export function print(asJson: boolean, value: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}
