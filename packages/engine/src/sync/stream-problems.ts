import { type BrokenMapping, isSecretPath, problemLine } from '@unified/connectors';
import { rowProblems, type Scope, type StreamProblem, type SyncState, type UnresolvedField } from '@unified/store';
import type { BrokenPlatform } from '../model/broken-platform.ts';
import { type ConnectionModel, mappingsOf } from '../model/connection-model.ts';
import type { StreamMemory } from './stream-memory.ts';

/** Why values of a stream are missing from its records. */
export interface SyncProblem {
  readonly entity: string;
  /** Field, including the properties below it (`lines.quantity`), or `where`. */
  readonly field: string;
  /** Path from which the mapping reads the value, or to which it writes it. */
  readonly path: string | null;
  /**
   * `missing_column`: the stream, or a table that its writes change, has no such column. `unreadable`: the value has the wrong
   * type. `not_allowed`: the document does not allow the value. `broken_mapping`: the mapping cannot be used, so the entity is
   * not read. `no_record`: no record, or more than one, matches a reference. `duplicate_key`: another row of the stream has the
   * same key, and its record replaces this one.
   */
  readonly reason: 'missing_column' | 'unreadable' | 'not_allowed' | 'broken_mapping' | 'no_record' | 'duplicate_key';
  /** What happened, and what to do. */
  readonly message: string;
  /** Number of values; null if the problem does not concern individual values. */
  readonly count: number | null;
  /** Beginning of one of the values. */
  readonly example: string | null;
}

/** Problems with individual values, by stream. */
export async function problemsByStream(scope: Scope): Promise<ReadonlyMap<string, StreamProblem[]>> {
  return Map.groupBy(await rowProblems(scope), ({ stream }) => stream);
}

/** The problems of a stream: paths that the system does not have, then individual values, then references without a record. */
export function streamProblems(
  model: ConnectionModel,
  stream: string,
  { missing }: StreamMemory,
  values: readonly StreamProblem[],
  unresolved: readonly UnresolvedField[],
): SyncProblem[] {
  const mappings = new Map(mappingsOf(model, stream).map((mapping) => [mapping.entity, mapping]));
  const pathOf = (entity: string, field: string) =>
    mappings
      .get(entity)
      ?.paths.filter((each) => each.field === field)
      .map(({ path }) => path)
      .join(', ') || null;
  return [
    ...missing.map(({ entity, field, path, message }) => ({
      entity,
      field,
      path,
      reason: 'missing_column' as const,
      message,
      count: null,
      example: null,
    })),
    ...values.map(({ entity, field, reason, message, count, example }) => ({
      entity,
      field,
      path: pathOf(entity, field),
      reason,
      message,
      count,
      example,
    })),
    ...unresolved.map(({ owner, field, entity, by, count, example }) => {
      const path = pathOf(owner, field);
      const message = `No ${entity}, or more than one, has this ${by}.`;
      const shown = path !== null && isSecretPath(path) ? null : example.slice(0, 100).toWellFormed();
      return { entity: owner, field, path, reason: 'no_record' as const, message, count, example: shown };
    }),
  ];
}

/** A stream in the status of a connection: its entities, and why they are not read. */
export interface BrokenStream {
  readonly stream: string;
  readonly entities: readonly string[];
  readonly error: string | null;
  readonly problems: readonly SyncProblem[];
}

const ADVICE = 'Correct it; it is loaded again within seconds.';

/** Mappings of a stream that cannot be used; one problem per fault. */
export function brokenIn({ broken }: ConnectionModel, stream: string): SyncProblem[] {
  return broken.filter((each) => each.stream === stream).flatMap(problemsOf);
}

/** Mappings that cannot be used and that name no stream of the platform, under the names of their files. */
export function withoutStream({ broken, platform }: ConnectionModel): BrokenStream[] {
  const known = new Set(platform.streams.map(({ name }) => name));
  return broken.filter(({ stream }) => stream === null || !known.has(stream)).map(streamOfFile);
}

function streamOfFile(mapping: BrokenMapping): BrokenStream {
  const { entity, problems } = mapping;
  const error = `${problems.map(problemLine).join('; ')}. ${ADVICE}`;
  return { stream: problems[0]?.file ?? entity, entities: [entity], error, problems: problemsOf(mapping) };
}

/** The streams of a platform that cannot be used: those that were read earlier. */
export function brokenStreams({ id, problems }: BrokenPlatform, states: readonly SyncState[]): BrokenStream[] {
  const streams = states.length > 0 ? states.map(({ stream }) => stream) : [`${id}/platform.yaml`];
  const error = `The platform cannot be used: ${problems.map(problemLine).join('; ')}. ${ADVICE}`;
  return streams.map((stream) => ({ stream, entities: [], error, problems: [] }));
}

function problemsOf({ entity, problems }: BrokenMapping): SyncProblem[] {
  return problems.map(({ file, field, message }) => ({
    entity,
    field: field.replace(/^fields\./, ''),
    path: null,
    reason: 'broken_mapping' as const,
    message: `${problemLine({ file, field, message })}. ${ADVICE}`,
    count: null,
    example: null,
  }));
}
