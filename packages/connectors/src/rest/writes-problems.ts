import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';

interface Described {
  readonly stream: Stream;
  readonly options: StreamOptions;
}

/** Writes that need options that their stream does not have, each with its place in the file of the platform. */
export function writesProblems(id: string, streams: readonly Described[]): DefinitionProblem[] {
  return streams.flatMap(({ stream, options: { writes, detail } }) => {
    if (!writes) return [];
    const { lock, actions = {}, update } = writes;
    const problem = (isOne: boolean, field: string, message: string): DefinitionProblem[] =>
      isOne ? [{ file: `${id}/platform.yaml`, field: `streams.${stream.name}.options.writes.${field}`, message }] : [];
    const uncalled = Object.keys(actions).filter((name) => !actions[name]?.call && !update);
    return [
      ...problem(lock?.etag === true && !detail, 'lock.etag', 'needs "detail", which returns the ETag of a row'),
      ...uncalled.flatMap((name) => problem(true, `actions.${name}`, 'needs a "call", because there is no "update"')),
    ];
  });
}
