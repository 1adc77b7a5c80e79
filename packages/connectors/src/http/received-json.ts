import { parseExactJson } from '../exact-number.ts';
import { endOfString, QUOTE } from '../json-text.ts';

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
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    at = code === QUOTE ? endOfString(text, at) : at + 1;
    if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
