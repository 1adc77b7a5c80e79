import { nearest, ServiceError } from '@unified/contract';
import { type ConnectionModel, streamsFor } from '../model/connection-model.ts';

/** What a client wants to be read. */
export interface WantedSync {
  readonly entities?: readonly string[] | undefined;
  readonly streams?: readonly string[] | undefined;
  /** Fields may be emptied because their columns disappeared. */
  readonly acceptColumns?: boolean | undefined;
  /** Records may be deleted although many rows disappeared together. */
  readonly acceptDeletes?: boolean | undefined;
}

/** Names of the streams to read; undefined: all. Throws SERVICE_INVALID_BODY for one that the connection does not have. */
export function streamsOf(model: ConnectionModel, { entities, streams }: WantedSync): string[] | undefined {
  if (!entities && !streams) return undefined;
  const known = model.platform.streams.map(({ name }) => name);
  const details = (streams ?? []).flatMap((name, index) => (known.includes(name) ? [] : [fault(name, index, known)]));
  if (details[0])
    throw new ServiceError('SERVICE_INVALID_BODY', `${details[0].path}: ${details[0].message}`, { details });
  return [...new Set([...streamsFor(model, entities ?? []), ...(streams ?? [])])];
}

function fault(name: string, index: number, known: readonly string[]) {
  const meant = nearest(name, known);
  const advice = meant === undefined ? 'See /sync-status.' : `Did you mean "${meant}"?`;
  return { path: `body/streams/${index}`, message: `The connection has no stream "${name.slice(0, 80)}". ${advice}` };
}
