/** `  --name    what it is`. */
export function helpLine(flag: string, about: string): string {
  return `  --${flag.padEnd(22)} ${about}`;
}
