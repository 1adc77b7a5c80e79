/** Prints the result of a command: as JSON for programs, or as text. */
export function print(asJson: boolean, value: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}
