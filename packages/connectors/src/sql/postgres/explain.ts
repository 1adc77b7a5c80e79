import { CONNECTION_CLOSED, type Explanation, NO_RESPONSE } from '../../explanation.ts';

const WRONG_LOGIN: Explanation = {
  problem: 'The database refuses the user or the password.',
  remedy: 'Check both, and pg_hba.conf of the database.',
};

/** By SQLSTATE, which does not depend on the language of the database. */
const byCode: Readonly<Partial<Record<string, Explanation>>> = {
  '28P01': WRONG_LOGIN,
  '28000': WRONG_LOGIN,
  '3D000': {
    problem: 'The server has no database with this name.',
    remedy: 'Check the name of the database in the settings.',
  },
  '53300': {
    problem: 'The database has reached its connection limit.',
    remedy: 'Free some connections, or increase max_connections.',
  },
};

/** Errors that pg reports without a code. */
const byMessage: readonly (readonly [RegExp, Explanation])[] = [
  [
    /does not support SSL connections/,
    { problem: 'The database does not offer TLS.', remedy: 'Remove `sslmode`, or enable TLS in the database.' },
  ],
  [/^(Connection terminated due to|timeout exceeded when trying to connect)/, NO_RESPONSE],
  [/^Connection terminated/, CONNECTION_CLOSED],
];

/** Explains why a database cannot be used; undefined for any other failure. */
export function explain(code: string, message: string): Explanation | undefined {
  return byCode[code] ?? byMessage.find(([pattern]) => pattern.test(message))?.[1];
}
