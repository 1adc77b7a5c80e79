/**
 * Codes of errors that another attempt does not change: no such host, and a server that does not speak TLS or has no valid
 * certificate.
 */
const LASTING = /^(ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

const DEEPEST = 8;

/** Why a request got no response. */
export interface Unreachable {
  /** The message of the innermost cause: `connect ECONNREFUSED 127.0.0.1:4000`. Empty if there is none. */
  readonly reason: string;
  /** Whether another attempt fails as well. */
  readonly isLasting: boolean;
}

/** Why `fetch` failed: its own message is only `fetch failed`. */
export function unreachable(failure: unknown): Unreachable {
  const chain = causesOf(failure);
  const reason =
    chain
      .map(({ message }) => message.trim())
      .filter((message) => message !== '')
      .at(-1) ?? '';
  const isLasting = chain.some((each) => 'code' in each && LASTING.test(String(each.code)));
  return { reason: reason.split('\n', 1)[0]?.replace(/\.$/, '') ?? '', isLasting };
}

/** An error and its causes, outermost first. Of several attempts, such as those for each address of a host, the first one. */
function causesOf(failure: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = failure; at instanceof Error && chain.length < DEEPEST; ) {
    chain.push(at);
    at = 'errors' in at && Array.isArray(at.errors) ? at.errors[0] : at.cause;
  }
  return chain;
}
