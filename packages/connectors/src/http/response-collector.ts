import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AddressRefused } from '../net/address-guard.ts';
import type { HttpRequest } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';

/** A complete response. Names of headers are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: Buffer;
}

interface Limits {
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

/** Sends one request and collects its response within the limits; see `HttpClient.send`. */
export function collectResponse(agent: Dispatcher, request: HttpRequest, limits: Limits): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const collector = new ResponseCollector(limits, request.signal, resolve, reject);
    if (collector.ended) return;
    try {
      agent.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method,
          headers: { 'accept-encoding': 'identity', ...request.headers },
          body: request.body ?? null,
          blocking: true,
        },
        collector,
      );
    } catch (error) {
      collector.onResponseError(null, error);
    }
  });
}

class ResponseCollector implements Dispatcher.DispatchHandler {
  ended = false;
  #sent = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #controller: Dispatcher.DispatchController | undefined;
  readonly #limits: Limits;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (failure: HttpFailure) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#fail('aborted', 'The request was aborted');

  constructor(
    limits: Limits,
    signal: AbortSignal | undefined,
    resolve: (response: HttpResponse) => void,
    reject: (failure: HttpFailure) => void,
  ) {
    this.#limits = limits;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    const seconds = limits.timeoutMs / 1000;
    this.#timer = setTimeout(() => this.#fail('timeout', `No response within ${seconds} s`), limits.timeoutMs);
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Called when a socket is open and the first byte is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that was aborted while it waited for a socket must not be sent afterwards.
    if (this.ended) {
      controller.abort(new Error('The request has ended.'));
      return;
    }
    this.#controller = controller;
    this.#sent = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#limits.maxBodyBytes) this.#failTooLarge();
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.ended) return;
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxBodyBytes) this.#failTooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    this.#resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (!this.#end()) return;
    this.#reject(failureOf(error, this.#sent));
  }

  #failTooLarge(): void {
    this.#fail('too-large', `The response is longer than ${this.#limits.maxBodyBytes} bytes`);
  }

  #fail(reason: HttpFailure['reason'], message: string): void {
    if (!this.#end()) return;
    const failure = new HttpFailure(reason, this.#sent, message, undefined, this.#status || undefined);
    this.#controller?.abort(failure);
    this.#reject(failure);
  }

  /** Marks the request as ended; false if it had already ended. */
  #end(): boolean {
    if (this.ended) return false;
    this.ended = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

/** The failure that corresponds to an error of undici or of a socket. */
export function failureOf(error: unknown, sent: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof AddressRefused) return new HttpFailure('forbidden', false, error.message, error);
  const { message } = error instanceof Error ? error : new Error(String(error));
  if (sent)
    return new HttpFailure('broken', true, `The connection broke before the response was complete: ${message}`, error);
  const timedOut = error instanceof Error && 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT';
  if (timedOut) return new HttpFailure('timeout', false, 'No connection in time', error);
  return new HttpFailure('unreachable', false, message || 'The host cannot be reached', error);
}
