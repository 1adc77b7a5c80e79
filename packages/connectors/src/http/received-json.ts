import { parseExactJson } from '../exact-number.ts';

/** Maximum nesting of lists and objects. Functions that walk deeper values, such as `JSON.stringify`, run out of stack. */
const DEEPEST = 500;

/**
 * Parses the JSON of a response from another system, with all digits of its numbers.
 *
 * @throws {SyntaxError} for JSON that is invalid, or nested more than 500 levels
 */
export function parseReceived(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`The JSON is nested more than ${DEEPEST} levels.`);
  return parseExactJson(text);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
