import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@unified/contract';

/** The form of a position, as stated in the document. */
const POSITION = /^[0-9A-F]{16}$/;

/** The position that a read must include; undefined if the client sends none. Throws SERVICE_INVALID_PARAMETER. */
export function dataPositionOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const sent = headers['data-position'];
  if (sent === undefined) return undefined;
  if (typeof sent === 'string' && POSITION.test(sent)) return sent;
  const message = 'This is not a position. Send the `Data-Position` of an earlier response, or leave the header out.';
  const details = [{ path: 'header/data-position', message }];
  throw new ServiceError('SERVICE_INVALID_PARAMETER', `header/data-position: ${message}`, { details });
}
