import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '@unified/contract';
import { LARGEST } from './read-body.ts';

/** A part that is a file; its bytes have to be read before the next part comes. */
export interface FilePart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly contentType: string;
  readonly stream: Readable;
}

interface TextPart {
  readonly name: string;
  readonly text: string;
}

export type Part = FilePart | TextPart;

/** Bytes around a file at the most: the other parts, and the lines between them. */
export const AROUND = 1_100_000;
/** What the parser may have taken and not yet looked at. */
const IN_TRANSIT = 200_000;
/** The part that is read as a stream, whatever its headers say; all others are text. */
const FILE = 'file';

/**
 * The parts of a `multipart/form-data` body, one after the other; the bytes of a file flow as fast as they are read. Throws
 * SERVICE_INVALID_BODY when the body is not well-formed or breaks off, and SERVICE_BODY_TOO_LARGE for more than 1 MB of
 * anything but a file. What is left of the body then is not read.
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
    // It is told to whoever reads the stream; before anybody does, nobody has to know.
    stream.on('error', () => {});
    // HTML has clients write a quote within a name as %22.
    parts.push({ name, filename: filename?.replaceAll('%22', '"'), contentType, stream } satisfies FilePart);
  });
  parser.on('field', (name, text, _nameCut, isCut) => {
    if (isCut) fail(tooLarge('The part'));
    else parts.push({ name, text } satisfies TextPart);
  });
  parser.on('partsLimit', () => fail(broken('There are too many parts. Send `attachment`, then `file`.')));
  parser.on('error', (cause: Error) =>
    fail(broken('The parts cannot be read, or break off. Send all of them.', cause)),
  );
  parser.on('finish', () => parts.push(null));
  // What no part contains is counted too: the parser skips text before the first part without end.
  const onData = (bytes: Uint8Array) => {
    received += bytes.length;
    if (received - files.reduce((sum, { bytesRead }) => sum + bytesRead, 0) > AROUND + IN_TRANSIT)
      fail(tooLarge('The body around the file'));
  };
  request.on('data', onData);
  const onClose = () => {
    if (!request.complete) fail(broken('The request broke off.'));
  };
  request.on('close', onClose);
  // The client may have left while its token was looked up: nothing would be heard of it any more.
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
  return new ServiceError('SERVICE_BODY_TOO_LARGE', `${what} is larger than 1 MB. Send less at once.`);
}

function broken(message: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_INVALID_BODY', message, { cause, details: [{ path: 'body', message }] });
}
