import { CONNECTION_CLOSED, type Explanation, NO_RESPONSE } from '../../explanation.ts';

const byNumber: ReadonlyMap<number, Explanation> = new Map([
  [
    1045,
    {
      problem: 'The database refuses the user or the password.',
      remedy: 'Check both, and that the user may connect from the address of this machine.',
    },
  ],
  [
    1049,
    {
      problem: 'The server has no database with this name.',
      remedy: 'Check the name of the database in the settings.',
    },
  ],
  [
    1040,
    {
      problem: 'The database has reached its connection limit.',
      remedy: 'Free some connections, or increase max_connections.',
    },
  ],
]);

/** Errors that the client reports without an error number from the server. */
const byCode: Readonly<Partial<Record<string, Explanation>>> = {
  ETIMEDOUT: NO_RESPONSE,
  PROTOCOL_CONNECTION_LOST: CONNECTION_CLOSED,
  HANDSHAKE_NO_SSL_SUPPORT: {
    problem: 'The database does not offer TLS.',
    remedy: 'Remove `ssl-mode`, or enable TLS in the database.',
  },
};

/** Explains why a database cannot be used; undefined for any other failure. */
export function explain(number: number, code: string): Explanation | undefined {
  return number === 0 ? byCode[code] : byNumber.get(number);
}
