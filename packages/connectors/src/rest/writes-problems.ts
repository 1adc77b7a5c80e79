import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';

interface Described {
  readonly stream: Stream;
  readonly options: StreamOptions;
}

/** Streams whose writes need what the stream does not have, each with its place in the file of the platform. */
export function writesProblems(id: string, streams: readonly Described[]): DefinitionProblem[] {
  return streams.flatMap(({ stream, options: { writes, detail, parents } }) => {
    if (!writes) return [];
    const { create, created, lock, actions = {}, update } = writes;
    const problem = (isOne: boolean, field: string, message: string): DefinitionProblem[] =>
      isOne ? [{ file: `${id}/platform.yaml`, field: `streams.${stream.name}.options.writes.${field}`, message }] : [];
    const isCounted = create !== undefined && created?.marker === undefined && created?.time === undefined;
    const uncalled = Object.keys(actions).filter((name) => !actions[name]?.call && !update);
    return [
      ...problem(
        isCounted && parents !== undefined,
        'created',
        'needs a "marker" or "time": the newest rows of all parents cannot be requested',
      ),
      ...problem(lock?.etag === true && !detail, 'lock.etag', 'needs "detail", which returns the ETag of a row'),
      ...uncalled.flatMap((name) => problem(true, `actions.${name}`, 'needs a "call", because there is no "update"')),
    ];
  });
}
