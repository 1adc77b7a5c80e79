import { expect, it } from 'vitest';
import { bearerToken } from './bearer-header.ts';

const token = `sct_${'a'.repeat(43)}`;
const FORM = 'A connection token is "sct_" followed by 43 letters, digits, "-" or "_".';

it.each([`Bearer ${token}`, `bearer   ${token}`])('reads the token of %.12s…', (header) => {
  expect(bearerToken(header)).toBe(token);
});

it.each([
  [undefined, 'Send the header Authorization: Bearer <CONNECTION_TOKEN>.'],
  ['', `The header Authorization contains no token. Send Bearer and a connection token. ${FORM}`],
  ['Bearer', `The header Authorization contains no token. Send Bearer and a connection token. ${FORM}`],
  ['Bearer foo', `The token in the header Authorization is malformed (length: 3). ${FORM} Send all of it.`],
  [`Bearer "${token}"`, `The token in the header Authorization is malformed (length: 49). ${FORM} Send all of it.`],
  ['Basic dXNlcjpwYXNz', `The header Authorization has the scheme Basic. Send Bearer and a connection token. ${FORM}`],
  [token, `The header Authorization does not begin with "Bearer ". Send it before the token. ${FORM}`],
])('%j gets a message that names its fault', (header, message) => {
  expect(() => bearerToken(header)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAUTHORIZED', message }));
});

it('the message does not contain what was sent as a token', () => {
  expect(() => bearerToken('Bearer short-secret')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('short-secret') }),
  );
});
