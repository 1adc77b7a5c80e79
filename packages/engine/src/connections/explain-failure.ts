import { SystemError } from '@unified/connectors';

/** Why a system cannot be used, for the person who connects it. */
export interface Explanation {
  /** What happened. */
  readonly problem: string;
  /** What to do. */
  readonly remedy: string;
}

const silent: Explanation = {
  problem: 'The host does not respond.',
  remedy: 'Check the address, and that no firewall is in between.',
};
const closed: Explanation = {
  problem: 'The host closed the connection.',
  remedy: 'Check that the system is running, that the port belongs to it, and whether it requires TLS.',
};

/** By error code of the operating system, TLS or PostgreSQL, which does not depend on the language. */
const byCode: readonly (readonly [codes: readonly string[], explanation: Explanation])[] = [
  [
    ['ENOTFOUND', 'EAI_AGAIN'],
    { problem: 'The host name is unknown.', remedy: 'Check the host name for typing errors.' },
  ],
  [
    ['ECONNREFUSED'],
    {
      problem: 'The host refuses connections on this port.',
      remedy: 'Check the port, and that the system is running and listening on this address.',
    },
  ],
  [['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'], silent],
  [['ECONNRESET', 'EPIPE'], closed],
  [['CERT_HAS_EXPIRED'], { problem: 'The TLS certificate of the host has expired.', remedy: 'Renew the certificate.' }],
  [
    ['ERR_TLS_CERT_ALTNAME_INVALID'],
    {
      problem: 'The TLS certificate belongs to another host name.',
      remedy: 'Use the host name that is in the certificate.',
    },
  ],
  [
    [
      ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ],
    {
      problem: 'The TLS certificate of the host is not signed by a known authority.',
      remedy: 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority, here and for the server.',
    },
  ],
  [
    ['28P01', '28000'],
    {
      problem: 'The database refuses the user or the password.',
      remedy: 'Check both, and pg_hba.conf of the database.',
    },
  ],
  [
    ['3D000'],
    {
      problem: 'The server has no database with this name.',
      remedy: 'Check the name of the database in the settings.',
    },
  ],
  [
    ['53300'],
    {
      problem: 'The database has reached its connection limit.',
      remedy: 'Free some connections, or increase max_connections.',
    },
  ],
];

/** What pg reports without a code. */
const byMessage: readonly (readonly [RegExp, Explanation])[] = [
  [
    /does not support SSL connections/,
    { problem: 'The database does not offer TLS.', remedy: 'Remove `sslmode`, or enable TLS in the database.' },
  ],
  [/^(Connection terminated due to|timeout exceeded when trying to connect)/, silent],
  [/^Connection terminated/, closed],
];

const byKind: Readonly<Partial<Record<SystemError['kind'], string>>> = {
  unauthorized: 'Check user and password.',
  forbidden: 'Grant the permissions to the user in the system.',
  unavailable: 'Check the address, and that the system is running.',
  throttled: 'The system has reached its limit of calls. Try again later.',
  payment: 'Contact the provider of the system.',
  invalid: 'Check that the address belongs to this kind of system.',
};

/** Explains a failure of a connected system, and what to do. Includes the message of the system. */
export function explainFailure(error: SystemError): Explanation {
  const chain = causesOf(error);
  const known =
    byCode.find(([codes]) => chain.some(({ code }) => codes.includes(code)))?.[1] ??
    byMessage.find(([pattern]) => chain.some(({ message }) => pattern.test(message)))?.[1];
  if (!known)
    return {
      problem: error.words,
      remedy: byKind[error.kind] ?? 'Check the settings and the permissions of the user.',
    };
  return { problem: `${known.problem} (${error.words})`, remedy: known.remedy };
}

const DEEPEST = 8;

/** An error and its causes, the outermost first. */
function causesOf(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  for (let at = error; at instanceof Error && chain.length < DEEPEST; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    chain.push({ code, message: at instanceof SystemError ? at.words : at.message });
  }
  return chain;
}
