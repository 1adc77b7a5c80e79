import type { Api, ApiRequest, ApiResponse } from './api.ts';
import type { IfMatch, SendOptions, WriteOptions, WriteRecord } from './calls.ts';
import { tagged } from './etag.ts';
import { follow } from './follow.ts';
import { KEY } from './idempotency-key.ts';
import { pathSegment } from './path-segment.ts';
import { isObject, writeIdOf } from './response-error.ts';
import { ServiceError } from './service-error.ts';

type AnyOptions = SendOptions & IfMatch & Pick<WriteOptions, 'wait' | 'respondAsync' | 'dryRun'>;

/**
 * Sends a write with its options and returns the response: a record or a write record.
 *
 * @throws {TypeError} If `ifMatch` is present but undefined, because the write would overwrite any change.
 */
export async function sendWrite(api: Api, request: ApiRequest, options: AnyOptions): Promise<ApiResponse> {
  if ('ifMatch' in options && options.ifMatch === undefined)
    throw new TypeError('ifMatch is undefined: the record is a copy or from a list. Read it with get.');
  const prefer = [
    options.strict && 'handling=strict',
    options.respondAsync && 'respond-async',
    options.wait !== undefined && `wait=${options.wait}`,
  ];
  const preferences = prefer.filter(Boolean).join(', ');
  return api.call({
    ...request,
    signal: options.signal,
    ...(options.dryRun && { query: { dryRun: true } }),
    headers: {
      ...(options.idempotencyKey !== undefined && { [KEY]: options.idempotencyKey }),
      ...(preferences && { Prefer: preferences }),
      ...(options.ifMatch !== undefined && { 'If-Match': options.ifMatch }),
    },
  });
}

/**
 * Sends a create, update or delete and returns its outcome: the record, nothing for a delete, or, with `respondAsync`
 * and `dryRun`, the write record.
 *
 * @throws {ServiceError} If the write failed, or its outcome was not known within `timeoutMs`.
 */
export async function outcome(api: Api, request: ApiRequest, options: WriteOptions & IfMatch): Promise<unknown> {
  const timeoutMs = options.timeoutMs ?? api.timeoutMs;
  const began = performance.now();
  const answer = await sendWrite(api, request, {
    wait: options.respondAsync ? undefined : waitWithin(timeoutMs),
    ...options,
  });
  const { body, response } = answer;
  if (options.respondAsync || options.dryRun) return isWriteRecord(body) ? body : writeRecordOf(api, answer, options);
  if (!isWriteRecord(body)) {
    const writeId = writeIdOf(response);
    const warnings = Number(response.headers.get('Write-Warnings'));
    if (writeId !== undefined) await options.onWrite?.({ writeId, warnings });
    return tagged(unwrapped(body), response);
  }
  const deletes = request.method === 'delete';
  const left = timeoutMs - (performance.now() - began);
  const { signal } = options;
  const key = response.headers.get(KEY) ?? undefined;
  const follows = { signal, timeoutMs: left, synced: !deletes, idempotencyKey: key };
  const write = await follow(api, body.writeId, follows);
  await options.onWrite?.({ writeId: write.writeId, warnings: write.warnings.length });
  return deletes ? undefined : written(api, request, write, options.signal);
}

/** Seconds for the server to wait, if its default of 10 is more than half of the remaining time. */
function waitWithin(timeoutMs: number): number | undefined {
  return timeoutMs < 20_000 ? Math.floor(timeoutMs / 2000) : undefined;
}

/** The content of the envelope `{ data }`; a body without one is returned as is. */
export function unwrapped(body: unknown): unknown {
  return isObject(body) && 'data' in body ? body.data : body;
}

/** The record that a write has created or changed. A create is sent to the collection, a change to the record. */
async function written(
  api: Api,
  { method, path }: ApiRequest,
  { writeId, result, targetId }: WriteRecord,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let address = path;
  if (method === 'post') {
    const id = result?.id ?? targetId;
    if (!id) throw new ServiceError('CLIENT_UNREADABLE', 'The write record does not name the record.', { writeId });
    address += `/${pathSegment(id)}`;
  }
  const { response, body } = await api.call({ method: 'get', path: address, signal });
  return tagged(unwrapped(body), response);
}

/** The write record of a repeated request whose write was already settled, so that the response is the record itself. */
async function writeRecordOf(api: Api, { response }: ApiResponse, { signal }: SendOptions): Promise<unknown> {
  const writeId = writeIdOf(response);
  if (writeId === undefined) {
    const { status } = response;
    throw new ServiceError('CLIENT_UNREADABLE', 'The response does not name a write record.', { status });
  }
  return (await api.call({ method: 'get', path: `/writes/${writeId}`, signal })).body;
}

function isWriteRecord(body: unknown): body is WriteRecord {
  return isObject(body) && typeof body.writeId === 'string';
}
