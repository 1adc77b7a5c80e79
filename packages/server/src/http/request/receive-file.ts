import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@unified/contract';
import type { ContentDigest } from '@unified/store';
import { requestError } from '../../request-error.ts';
import { AROUND, type FilePart, type Part, readMultipart } from './multipart.ts';
import { checkJson, readBody } from './read-body.ts';
import type { CheckedRequest } from './validator.ts';

/** Maximum size of a file in bytes. */
const LARGEST_FILE = 50_000_000;
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;

type Fields = Readonly<Record<string, unknown>>;

export interface Receiving {
  readonly request: IncomingMessage;
  /** Checks the request with the given body. */
  readonly check: (body: unknown) => Promise<CheckedRequest>;
  /** Stores the file of a valid request. Stores nothing if reading the bytes fails. */
  readonly store: (checked: CheckedRequest, bytes: AsyncIterable<Uint8Array>) => Promise<ContentDigest>;
}

/**
 * The checked request of a create that may contain a file: as `multipart/form-data` or, if the file is small, in the property
 * `contentBase64` of its JSON. The body then has `sha256` and `sizeBytes` instead of the file. If the request is refused,
 * nothing is stored.
 */
export async function receiveFile(receiving: Receiving): Promise<CheckedRequest> {
  const { request, check, store } = receiving;
  if (MULTIPART.test(request.headers['content-type'] ?? '')) return receiveUpload(receiving);
  const checked = await check(await readBody(request));
  const { contentBase64, ...fields } = checked.body as Fields;
  if (typeof contentBase64 !== 'string') return checked;
  const bytes = Buffer.from(contentBase64, 'base64');
  return { ...checked, body: { ...fields, ...(await store(checked, oneChunk(bytes))) } };
}

async function receiveUpload({ request, check, store }: Receiving): Promise<CheckedRequest> {
  if (Number(request.headers['content-length']) > LARGEST_FILE + AROUND) throw tooLarge();
  const parts = readMultipart(request);
  try {
    const fields = fieldsOf(await next(parts));
    const file = fileOf(await next(parts));
    const details = described(file);
    checkJson(details);
    const checked = await check({ ...details, ...fields });
    checkNotElsewhere(checked.body as Fields);
    const digest = await store(checked, bytesOf(file, parts));
    return { ...checked, body: { ...(checked.body as Fields), ...digest } };
  } finally {
    await parts.return(undefined);
  }
}

async function next(parts: AsyncGenerator<Part>): Promise<Part | undefined> {
  const { done, value } = await parts.next();
  return done ? undefined : value;
}

function fieldsOf(part: Part | undefined): Fields {
  if (part?.name !== 'attachment' || !('text' in part)) {
    throw part?.name === 'file'
      ? refused('attachment', 'Send this part before the file, as JSON.')
      : unexpected(part, 'attachment');
  }
  const fields = jsonOf(part.text);
  checkJson(fields);
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields;
  throw refused('attachment', 'Send a JSON object.');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError(
      'SERVICE_INVALID_JSON',
      'The part `attachment` is not valid JSON. Send valid JSON in UTF-8.',
      {
        cause,
      },
    );
  }
}

function fileOf(part: Part | undefined): FilePart {
  if (part && 'stream' in part) return part;
  throw unexpected(part, 'file');
}

/** Properties of the file according to the headers of its part; the fields of the form take precedence. */
function described({ filename, contentType }: FilePart): Fields {
  return { ...(filename !== undefined && { name: filename }), contentType };
}

/** The bytes of the file. Throws at their end if another part follows, so that the file does not count as stored. */
async function* bytesOf({ stream }: FilePart, parts: AsyncGenerator<Part>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > LARGEST_FILE) throw tooLarge();
    yield chunk;
  }
  const more = await next(parts);
  if (more) throw unexpected(more, undefined);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file that is sent is stored by the service, so the fields must not specify another location. */
function checkNotElsewhere({ url, kind, contentBase64 }: Fields): void {
  if (url !== undefined && url !== null) throw refused('url', 'The file itself is sent. Leave its address out.');
  if (contentBase64 !== undefined) throw refused('contentBase64', 'The file is sent as a part. Leave this out.');
  if (kind === 'link')
    throw refused('kind', 'A link has no file. Send another kind, or an address instead of the file.');
}

function unexpected(part: Part | undefined, wanted: string | undefined): ServiceError {
  if (part === undefined) return refused(wanted ?? '', 'This part is missing. Send it.');
  if (part.name === 'file' || part.name === 'attachment') return refused(part.name, 'Send this part once.');
  return refused((part.name ?? '').slice(0, 80), 'There is no such part. Send `attachment`, then `file`.');
}

function refused(name: string, message: string): ServiceError {
  return requestError('SERVICE_INVALID_BODY', `body/${name}`, message);
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'SERVICE_BODY_TOO_LARGE',
    'The file is larger than 50 MB. Send a smaller one, or its address.',
  );
}
