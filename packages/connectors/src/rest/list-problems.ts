import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';

interface Described {
  readonly stream: Stream;
  readonly options: StreamOptions;
}

/** Streams that read the elements of lists within rows page by page, which is not possible, each with its place in the file. */
export function listProblems(id: string, streams: readonly Described[]): DefinitionProblem[] {
  return streams.flatMap(({ stream, options: { list } }) => {
    if (!list.elements || !list.paging) return [];
    const field = `streams.${stream.name}.options.list.elements`;
    return [{ file: `${id}/platform.yaml`, field, message: 'is possible only for a list without "paging"' }];
  });
}
