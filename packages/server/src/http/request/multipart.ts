import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '@unified/contract';
import { LARGEST } from './read-body.ts';

/** A part that is a file. Read all of its bytes to get to the next part. */
export interface FilePart {
  /** Absent if the part has no name. */
  readonly name: string | undefined;
  readonly filename: string | undefined;
  readonly contentType: string;
  readonly stream: AsyncIterable<Uint8Array>;
}

interface TextPart {
  readonly name: string | undefined;
  readonly text: string;
}

export type Part = FilePart | TextPart;

/** Maximum number of bytes around a file: the other parts, and the delimiters between them. */
export const AROUND = 1_100_000;
/** Bytes that the parser may have received but not yet parsed. */
const IN_TRANSIT = 200_000;
const MALFORMED = 'The parts are malformed or end early. Send all of them.';
/** The part that is read as a stream, whatever its headers say; all others are text. */
const FILE = 'file';

/**
 * The parts of a `multipart/form-data` body in order; the bytes of a file are streamed with backpressure. Throws
 * SERVICE_INVALID_BODY if the body is malformed or ends early, and SERVICE_BODY_TOO_LARGE if it has more than 1 MB besides the
 * file. The rest of the body is then not read.
 */
export async function* readMultipart(request: IncomingMessage): AsyncGenerator<Part> {
  const parser = parserOf(request);
  const parts = new Readable({ objectMode: true, read() {} });
  const files: BusboyFileStream[] = [];
  let received = 0;
  const fail = (error: Error) => {
    parts.destroy(error);
    for (const file of files) file.destroy(error);
  };
  parser.on('file', (name, stream, filename, _encoding, contentType) => {
    files.push(stream);
    // The reader of the stream gets the error. If there is no reader, the error must not crash the process.
    stream.on('error', () => {});
    // HTML requires clients to send a quote in a name as `%22`.
    parts.push({
      name,
      filename: filename?.replaceAll('%22', '"'),
      contentType,
      stream: bytesOf(stream),
    } satisfies FilePart);
  });
  parser.on('field', (name, text, _nameCut, isCut) => {
    if (isCut) fail(tooLarge('The part'));
    else parts.push({ name, text } satisfies TextPart);
  });
  parser.on('partsLimit', () => fail(broken('There are too many parts. Send `attachment`, then `file`.')));
  parser.on('error', (cause: Error) => fail(broken(MALFORMED, cause)));
  parser.on('finish', () => parts.push(null));
  // Bytes outside of parts count as well: the parser skips any amount of text before the first part.
  const onData = (bytes: Uint8Array) => {
    received += bytes.length;
    if (received - files.reduce((sum, { bytesRead }) => sum + bytesRead, 0) > AROUND + IN_TRANSIT)
      fail(tooLarge('The body around the file'));
  };
  request.on('data', onData);
  const onClose = () => {
    if (!request.complete) fail(broken('The request ended early.'));
  };
  request.on('close', onClose);
  // The client may have disconnected while its token was looked up, and no further event would follow.
  if (request.closed) onClose();
  request.pipe(parser);
  try {
    for await (const part of parts) yield part as Part;
  } finally {
    request.off('close', onClose);
    request.off('data', onData);
    request.unpipe(parser);
  }
}

/** The bytes of a file. If the end is missing, the parser first reports this to the stream, with its own message. */
async function* bytesOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : broken(MALFORMED, cause);
  }
}

function parserOf({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { fieldSize: LARGEST, parts: 10, headerPairs: 20, headerSize: 8_192 },
      isPartAFile: (name) => name === FILE,
    });
  } catch (cause) {
    throw broken('`Content-Type` names no boundary between the parts. Let your HTTP client write this header.', cause);
  }
}

function tooLarge(what: string): ServiceError {
  return new ServiceError('SERVICE_BODY_TOO_LARGE', `${what} is larger than 1 MB. Split the request.`);
}

function broken(message: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_INVALID_BODY', message, { cause, details: [{ path: 'body', message }] });
}
