/**
 * Why a request got no answer.
 *
 * `forbidden` the address may not be called · `unreachable` no such name, refused, no route, TLS handshake failed ·
 * `timeout` · `broken` the connection ended or spoke no HTTP · `too-large` the answer exceeds the limit · `aborted` by
 * the caller
 */
export type HttpFailureReason = 'forbidden' | 'unreachable' | 'timeout' | 'broken' | 'too-large' | 'aborted';

/**
 * A request that got no complete answer. With `sent: false` not one byte of it left this machine, so that it certainly
 * had no effect; with `sent: true` its effect is not known.
 */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly reason: HttpFailureReason;
  readonly sent: boolean;

  constructor(reason: HttpFailureReason, sent: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
    this.sent = sent;
  }
}
