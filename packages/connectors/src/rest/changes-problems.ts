import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';

interface Described {
  readonly stream: Stream;
  readonly options: StreamOptions;
}

/** Streams whose `cursor` and `changes` are inconsistent, each with its place in the file of the platform. */
export function changesProblems(id: string, streams: readonly Described[]): DefinitionProblem[] {
  const byName = new Map(streams.map((each) => [each.stream.name, each]));
  return streams.flatMap(({ stream, options: { parents, changes, deleted, detail } }) => {
    const problem = (field: string, message: string): DefinitionProblem[] => [
      { file: `${id}/platform.yaml`, field: `streams.${stream.name}.${field}`, message },
    ];
    if (parents?.stream !== undefined && changes)
      return problem('options.changes', 'a list of parents is read for the parents that changed');
    if (deleted && !changes) return problem('options.deleted', 'is read after the "changes", which are missing');
    if (deleted && !detail)
      return problem('options.deleted', 'needs "detail": a row is only deleted here if it can no longer be read');
    const parts = [deleted?.key ?? stream.key].flat().length;
    if (parts !== stream.key.length)
      return problem('options.deleted.key', `must name ${stream.key.length} parts, as "key" of the stream does`);
    if (changes && !stream.cursor) return problem('cursor', 'is missing, although the stream has "changes"');
    if (!stream.cursor) return [];
    if (parents?.stream !== undefined && !requestsChanges(parents.stream, byName)) {
      return problem(
        'cursor',
        `the stream "${parents.stream}" has no "changes", so changed parents cannot be requested`,
      );
    }
    return parents?.stream !== undefined || changes
      ? []
      : problem('options.changes', 'is missing, although the stream has a cursor');
  });
}

/** Whether changed rows of a stream can be requested. For lists of parents, changed parents are requested instead. */
function requestsChanges(name: string, streams: ReadonlyMap<string, Described>): boolean {
  const seen = new Set<string>();
  for (let at = streams.get(name); at && !seen.has(at.stream.name); ) {
    seen.add(at.stream.name);
    const { parents, changes } = at.options;
    if (parents?.stream === undefined) return changes !== undefined;
    at = streams.get(parents.stream);
  }
  return false;
}
