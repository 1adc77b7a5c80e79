import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Received, respond } from '../http/forwarding.ts';
import { startHttpServer } from '../http/http-server.ts';
import type { Settings } from '../system-under-test.ts';
import { RECORDED_ORIGIN } from './addresses.ts';
import type { Exchange, RecordedRequest, RecordedResponse, Recording } from './exchange.ts';
import { keyAtAnyTime, keyOf, nameOf, respondingTo } from './recorded-call.ts';
import { Replacements } from './replacements.ts';
import { requestWithout } from './without-secrets.ts';

/** A server on this machine that responds as in a recording. */
export interface Replay {
  /** The settings of a connection to it. */
  readonly settings: Settings;
  /** Requests that the recording does not contain, each once, as `GET /path` or `POST /path (method of JSON-RPC)`. */
  readonly unknown: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Starts a server for a recording. */
export async function startReplay({ settings, exchanges }: Recording): Promise<Replay> {
  const book = new ExchangeBook(exchanges);
  const unknown = new Set<string>();
  const [toRecorded, toOwn] = [new Replacements(), new Replacements()];
  const server = await startHttpServer(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const received = { method, path, headers, body: await buffer(incoming) };
    const request = requestWithout(received, (text) => toRecorded.in(text));
    const exchange = book.next(request);
    if (exchange) return respond(outgoing, responseTo(request, exchange.response, toOwn));
    unknown.add(nameOf(request));
    outgoing.writeHead(501).end('The recording does not contain this request.');
  });
  toRecorded.add({ from: server.origin, to: RECORDED_ORIGIN });
  toOwn.add({ from: RECORDED_ORIGIN, to: server.origin });
  return { settings: JSON.parse(toOwn.in(JSON.stringify(settings))), unknown, close: server.close };
}

function responseTo(
  request: RecordedRequest,
  { status, headers, body, encoding }: RecordedResponse,
  toOwn: Replacements,
): Received {
  return {
    status,
    headers: JSON.parse(toOwn.in(JSON.stringify(headers))),
    body: encoding ? Buffer.from(body, encoding) : Buffer.from(respondingTo(request.body, toOwn.in(body))),
  };
}

/** The exchanges of a recording by request. */
class ExchangeBook {
  readonly #exact: Sequences;
  readonly #atAnyTime: Sequences;

  constructor(exchanges: readonly Exchange[]) {
    this.#exact = new Sequences(exchanges, keyOf);
    this.#atAnyTime = new Sequences(exchanges, keyAtAnyTime);
  }

  /** The next exchange with this request; the last one is repeated. Times are compared only if there is one with the same. */
  next(request: RecordedRequest): Exchange | undefined {
    return this.#exact.next(request) ?? this.#atAnyTime.next(request);
  }
}

class Sequences {
  readonly #byKey: Map<string, Exchange[]>;
  readonly #used = new Map<string, number>();
  readonly #key: (request: RecordedRequest) => string;

  constructor(exchanges: readonly Exchange[], key: (request: RecordedRequest) => string) {
    this.#key = key;
    this.#byKey = Map.groupBy(exchanges, ({ request }) => key(request));
  }

  next(request: RecordedRequest): Exchange | undefined {
    const key = this.#key(request);
    const sequence = this.#byKey.get(key);
    const used = this.#used.get(key) ?? 0;
    this.#used.set(key, used + 1);
    return sequence?.[Math.min(used, sequence.length - 1)];
  }
}
