/** The code of the character that begins and ends a string of JSON. */
export const QUOTE = 0x22;

const BACKSLASH = 0x5c;

/** The position after the string of JSON that begins with the quote at `start`; that after the text if the string does not end. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}
