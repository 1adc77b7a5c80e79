import type { Api, ApiRequest } from './api.ts';
import { ServiceError } from './service-error.ts';

/** Milliseconds without a byte after which a connection counts as lost. The service sends something every 10 seconds. */
const LONGEST_SILENCE = 30_000;

/** A server-sent event. */
interface ReceivedEvent {
  readonly id?: string | undefined;
  readonly data?: string | undefined;
}

/**
 * Requests a stream of server-sent events and returns them as they arrive, until the service ends it.
 *
 * @throws {ServiceError} The error from the service, or `CLIENT_UNREACHABLE` when the connection is lost.
 */
export async function* receivedEvents(
  api: Api,
  { signal, ...request }: Omit<ApiRequest, 'method'>,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const connection = new AbortController();
  const ends = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal;
  const headers = { ...request.headers, Accept: 'text/event-stream' };
  try {
    const { body } = await heard(connection, api.stream({ ...request, method: 'get', headers, signal: ends }));
    if (!body) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (let rest = ''; ; ) {
      const { value, done } = await heard(connection, reader.read());
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        api.position.note(fieldOf(block, 'position'));
        yield { id: fieldOf(block, 'id'), data: fieldOf(block, 'data') };
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('CLIENT_UNREACHABLE', 'The connection to the service was lost.', { cause });
  } finally {
    connection.abort();
  }
}

/** Awaits the next data. If none arrives in time, the connection is aborted. */
async function heard<T>(connection: AbortController, awaited: Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.abort(), LONGEST_SILENCE);
  try {
    return await awaited;
  } finally {
    clearTimeout(timer);
  }
}

/** The service sends each field once, in one line. */
function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((each) => each.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
