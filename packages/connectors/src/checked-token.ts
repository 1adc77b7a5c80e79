import { SystemError } from './system-error.ts';

/** Maximum length of a token. Servers accept no longer headers. */
const LONGEST_TOKEN = 16_384;

/** The token, if it is not too long. @throws {SystemError} `invalid` */
export function checkedToken(token: string): string {
  if (token.length <= LONGEST_TOKEN) return token;
  throw new SystemError('invalid', `The system issued a token with more than ${LONGEST_TOKEN} characters`);
}
