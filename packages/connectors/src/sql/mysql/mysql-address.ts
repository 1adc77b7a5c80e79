import { SystemError } from '../../system-error.ts';

/** The address of a MySQL database, and the login to use. */
export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Absent if the connection is not encrypted. */
  readonly ssl?: { readonly rejectUnauthorized: boolean; readonly verifyIdentity: boolean };
}

const DEFAULT_PORT = 3306;

/** Values of the parameter `ssl-mode`, named as in MySQL client programs. */
const sslModes: Readonly<Record<string, Pick<MysqlAddress, 'ssl'>>> = {
  DISABLED: {},
  REQUIRED: { ssl: { rejectUnauthorized: false, verifyIdentity: false } },
  VERIFY_CA: { ssl: { rejectUnauthorized: true, verifyIdentity: false } },
  VERIFY_IDENTITY: { ssl: { rejectUnauthorized: true, verifyIdentity: true } },
};

/**
 * Reads a connection string. The client would accept any of its options as a parameter, including files on this machine, so only
 * `ssl-mode` is permitted.
 *
 * @throws SystemError `unauthorized`, without the connection string, which contains the password
 */
export function addressOf(text: string): MysqlAddress {
  const url = URL.parse(text);
  if (!url?.hostname || url.pathname.length < 2) throw refusal('cannot be parsed: it needs a host and a database');
  const { 'ssl-mode': mode = 'DISABLED', ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0) throw refusal('has parameters other than ssl-mode');
  const ssl = sslModes[mode];
  if (!ssl) throw refusal(`has an unknown ssl-mode; there are ${Object.keys(sslModes).join(', ')}`);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    user: decoded(url.username),
    password: decoded(url.password),
    database: databaseIn(url),
    ...ssl,
  };
}

/** The database that a connection string names; empty if it cannot be parsed. */
export function databaseOf(text: string): string {
  const url = URL.parse(text);
  return url ? databaseIn(url) : '';
}

function databaseIn({ pathname }: URL): string {
  return decoded(pathname.slice(1));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refusal('contains a % that begins no encoded character');
  }
}

function refusal(problem: string): SystemError {
  return new SystemError('unauthorized', `The connection string ${problem}`, {
    explanation: {
      problem: 'The connection string cannot be used.',
      remedy: 'Send mysql://user:password@host:3306/database, with no parameter other than ssl-mode.',
    },
  });
}
