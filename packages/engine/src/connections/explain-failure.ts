import {
  asSentence,
  CONNECTION_CLOSED,
  type Explanation,
  isFailedAddress,
  type KnownExplanation,
  NO_RESPONSE,
  SystemError,
} from '@unified/connectors';

/** Why a system cannot be used, for messages in any language. */
export type FailureCause =
  | 'no-public-address'
  | 'refused'
  | 'no-response'
  | 'closed'
  | 'certificate'
  | 'credentials'
  | 'rights'
  | 'throttled'
  | 'not-this-system'
  | 'unavailable'
  | 'other';

/** Explanations by error code of the operating system or of TLS. Unlike messages, codes do not depend on the language. */
const byCode: readonly (readonly [codes: readonly string[], explanation: Explanation, cause: FailureCause])[] = [
  [
    ['ENOTFOUND', 'EAI_AGAIN'],
    { problem: 'The host name is unknown.', remedy: 'Check the host name for typing errors.' },
    'no-public-address',
  ],
  [
    ['ECONNREFUSED'],
    {
      problem: 'The host refuses connections on this port.',
      remedy: 'Check the port, and that the system is running and listening on this address.',
    },
    'refused',
  ],
  [['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'], NO_RESPONSE, 'no-response'],
  [['ECONNRESET', 'EPIPE'], CONNECTION_CLOSED, 'closed'],
  [
    ['CERT_HAS_EXPIRED'],
    { problem: 'The TLS certificate of the host has expired.', remedy: 'Renew the certificate.' },
    'certificate',
  ],
  [
    ['ERR_TLS_CERT_ALTNAME_INVALID'],
    {
      problem: 'The TLS certificate was issued for a different host name.',
      remedy: 'Use the host name in the certificate.',
    },
    'certificate',
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
    'certificate',
  ],
];

const byKind: Readonly<Partial<Record<SystemError['kind'], string>>> = {
  unauthorized: 'Check the credentials: the user name and password, the token, or the client id and client secret.',
  forbidden: 'Grant the user the required permissions in the system.',
  unavailable: 'Check the address, and that the system is running.',
  throttled: 'The system has reached its rate limit. Try again later.',
  payment: 'Contact the provider of the system.',
  invalid: 'Check that the address belongs to this kind of system.',
};

/**
 * Explains a failure of a connected system, and what to do about it. Includes the message of the system. What its driver knows
 * about the failure is in `SystemError.explanation`.
 */
export function explainFailure(error: SystemError): Explanation {
  const { problem, remedy } = explanationOf(error);
  const words = withoutRemedy(error.words, remedy);
  if (problem === undefined) return { problem: words, remedy };
  return { problem: words === problem ? problem : `${problem} (${error.words})`, remedy };
}

/** The same for clients of the API, without the message of the system, which may name logins and addresses. */
export function explainToClient(error: SystemError): Explanation {
  const { problem, remedy } = explanationOf(error);
  return { problem: problem ?? withoutRemedy(error.clientWords, remedy), remedy };
}

function explanationOf(error: SystemError): KnownExplanation {
  return knownExplanation(error) ?? { remedy: remedyOf(error) };
}

/** A message as a sentence, without the remedy that is shown with it. */
function withoutRemedy(words: string, remedy: string): string {
  const sentence = asSentence(words);
  return sentence.endsWith(` ${remedy}`) ? sentence.slice(0, -remedy.length - 1) : sentence;
}

function knownExplanation(error: SystemError): KnownExplanation | undefined {
  const chain = causesOf(error);
  return (
    byCode.find(([codes]) => chain.some(({ code }) => codes.includes(code)))?.[1] ??
    chain.find(({ explanation }) => explanation)?.explanation
  );
}

function remedyOf({ kind }: SystemError): string {
  return byKind[kind] ?? 'Check the settings and the permissions of the user.';
}

const causeByKind: Readonly<Partial<Record<SystemError['kind'], FailureCause>>> = {
  unauthorized: 'credentials',
  forbidden: 'rights',
  unavailable: 'unavailable',
  throttled: 'throttled',
  invalid: 'not-this-system',
};

/** The cause of a failure of a connected system. */
export function causeOf(error: SystemError): FailureCause {
  if (isFailedAddress(error)) return 'no-public-address';
  const chain = causesOf(error);
  const known = byCode.find(([codes]) => chain.some(({ code }) => codes.includes(code)))?.[2];
  if (known) return known;
  if (chain.some(({ explanation }) => explanation === NO_RESPONSE)) return 'no-response';
  if (chain.some(({ explanation }) => explanation === CONNECTION_CLOSED)) return 'closed';
  return causeByKind[error.kind] ?? 'other';
}

const DEEPEST = 8;

/** Codes and explanations of an error and its causes, outermost first. */
function causesOf(error: unknown): { code: string; explanation: KnownExplanation | undefined }[] {
  const chain: { code: string; explanation: KnownExplanation | undefined }[] = [];
  for (let at = error; at instanceof Error && chain.length < DEEPEST; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    chain.push({ code, explanation: at instanceof SystemError ? at.explanation : undefined });
  }
  return chain;
}
