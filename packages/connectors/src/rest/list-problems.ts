import type { DefinitionProblem } from '../mapping/definition-error.ts';
import type { Stream } from '../platform.ts';
import type { StreamOptions } from './options.ts';

interface Described {
  readonly stream: Stream;
  readonly options: StreamOptions;
}

/**
 * Streams that read the elements of lists within rows page by page, although nothing identifies these rows, each with its place in
 * the file.
 */
export function listProblems(id: string, streams: readonly Described[]): DefinitionProblem[] {
  return streams.flatMap(({ stream, options: { list, lists } }) => {
    if (!list.elements || !list.paging) return [];
    const { inherit = {} } = lists?.[list.elements.path] ?? {};
    if (stream.key.some((name) => Object.hasOwn(inherit, name))) return [];
    const field = `streams.${stream.name}.options.list.elements`;
    return [
      {
        file: `${id}/platform.yaml`,
        field,
        message: 'with "paging", needs a part of the key that the elements "inherit" from their row',
      },
    ];
  });
}
