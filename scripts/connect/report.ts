import type { SystemReport } from '@unified/engine';

/**
 * The findings in the connected system, one line for each stream and one for each problem. Problems that do not block streams
 * are combined.
 */
export function reportLines({ streams, problems }: SystemReport): string {
  const width = Math.max(...streams.map(({ stream }) => stream.length));
  const lines = streams.map(({ stream, entities, columns, sample, blocked }) => {
    const seen = blocked
      ? 'not readable'
      : [
          columns === null ? '' : `${columns} columns`,
          sample === null ? 'no rows yet' : `for example ${sample}`,
        ].filter(Boolean);
    return `  ${stream.padEnd(width)}  ${entities.join(', ') || '-'}: ${[seen].flat().join(', ')}`;
  });
  const byText = Map.groupBy(problems, ({ place, problem, remedy, blocks }) =>
    [blocks ? place : '', problem, remedy].join('\n'),
  );
  const warnings = [...byText.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { problem, remedy, blocks } = first;
    const places = placesOf([first, ...others].map(({ place }) => place));
    return [`${blocks ? '✗' : '!'} ${places}: ${problem}${remedy && ` ${remedy}`}`];
  });
  return [...lines, ...(warnings.length > 0 ? ['', ...warnings] : [])].join('\n');
}

const MOST_PLACES = 3;

/** `lief, kunde, artikel and 27 more` */
function placesOf(places: readonly string[]): string {
  const shown = places.slice(0, MOST_PLACES).join(', ');
  return places.length > MOST_PLACES ? `${shown} and ${places.length - MOST_PLACES} more` : shown;
}
