import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceError } from '@unified/contract';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  zstd: createZstdDecompress,
};

/**
 * The body of a request as it is decoded; undefined where it is sent as it is. Destroying the decoder leaves the rest of
 * the body unread. Throws SERVICE_UNSUPPORTED_MEDIA_TYPE for an unknown `Content-Encoding`.
 */
export function contentDecoder(request: IncomingMessage): Transform | undefined {
  const name = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (name === 'identity') return undefined;
  const make = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!make) {
    const message = 'This Content-Encoding is unknown. Send the body as it is, or in gzip, deflate, br or zstd.';
    throw new ServiceError('SERVICE_UNSUPPORTED_MEDIA_TYPE', message);
  }
  const decoder = make();
  const onClose = () => {
    if (!request.complete) decoder.destroy(new Error('The request broke off.'));
  };
  request.on('close', onClose);
  decoder.on('close', () => {
    request.off('close', onClose);
    request.unpipe(decoder);
  });
  // The client may have left before anything was read.
  if (request.closed) onClose();
  request.pipe(decoder);
  return decoder;
}
