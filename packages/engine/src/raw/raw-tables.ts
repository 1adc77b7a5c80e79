import { isSecretPath } from '@unified/connectors';
import { nearest, ServiceError } from '@unified/contract';
import { rawStreams, type Scope, sampledColumns, syncStates } from '@unified/store';
import { type BrokenPlatform, isBroken } from '../model/broken-platform.ts';
import { type ConnectionModel, mappingsOf } from '../model/connection-model.ts';
import { memoryOf } from '../sync/stream-memory.ts';

/** A column of a stream, with its type as the system names it; null if the system does not report one. */
export interface RawColumn {
  readonly name: string;
  readonly type: string | null;
  /** Whether its name suggests a secret, so that its values are not returned. */
  readonly isHidden: boolean;
}

/** A stream of a connection, with the number of rows that are stored. */
export interface RawTable {
  readonly name: string;
  /** Entities that are derived from it. */
  readonly entities: string[];
  readonly rows: number;
  readonly columns: RawColumn[];
  /** End of the last complete pass, RFC 3339; null if there was none. */
  readonly updatedAt: string | null;
}

/** The streams of a connection: first those of its platform, in the platform's order, then others that have rows. */
export async function rawTables(scope: Scope, model: ConnectionModel | BrokenPlatform): Promise<RawTable[]> {
  const counts = new Map((await rawStreams(scope)).map(({ stream, rows }) => [stream, rows]));
  const names = [...new Set([...streamsOf(model), ...counts.keys()])];
  const states = new Map((await syncStates(scope)).map((state) => [state.stream, state]));
  const sampled = await sampledColumns(scope, names);
  return names.map((name) => {
    const state = states.get(name);
    return {
      name,
      entities: isBroken(model) ? [] : mappingsOf(model, name).map(({ entity }) => entity),
      rows: counts.get(name) ?? 0,
      columns: columnsOf(memoryOf(state?.cursor).columns ?? {}, sampled.get(name) ?? []),
      updatedAt: state?.lastSuccessAt ?? null,
    };
  });
}

/** The columns of one stream. Throws SERVICE_NOT_FOUND if the connection has no such stream. */
export async function rawColumns(
  scope: Scope,
  model: ConnectionModel | BrokenPlatform,
  stream: string,
): Promise<RawColumn[]> {
  const states = await syncStates(scope);
  const sampled = (await sampledColumns(scope, [stream])).get(stream);
  const known = [...new Set([...streamsOf(model), ...states.map((state) => state.stream)])];
  if (sampled === undefined && !known.includes(stream)) throw noStream(stream, known);
  const state = states.find((each) => each.stream === stream);
  return columnsOf(memoryOf(state?.cursor).columns ?? {}, sampled ?? []);
}

function streamsOf(model: ConnectionModel | BrokenPlatform): string[] {
  return isBroken(model) ? [] : model.platform.streams.map(({ name }) => name);
}

function columnsOf(known: Readonly<Record<string, string>>, sampled: readonly string[]): RawColumn[] {
  const names = [...new Set([...Object.keys(known), ...sampled])].sort();
  return names.map((name) => ({ name, type: known[name] ?? null, isHidden: isSecretPath(name) }));
}

function noStream(stream: string, known: readonly string[]): ServiceError {
  const meant = nearest(stream, known);
  const advice = meant === undefined ? 'See /raw/tables.' : `Did you mean "${meant}"?`;
  return new ServiceError('SERVICE_NOT_FOUND', `The connection has no stream "${stream}". ${advice}`);
}
