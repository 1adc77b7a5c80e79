import type { SystemReport } from '@unified/engine';

/** What was seen in the connected system, one line for each stream and one for each problem. */
export function reportLines({ streams, problems }: SystemReport): string {
  const width = Math.max(...streams.map(({ stream }) => stream.length));
  const lines = streams.map(({ stream, entities, columns, sample, blocked }) => {
    const seen = blocked
      ? 'not readable'
      : [columns === null ? '' : `${columns} columns`, sample === null ? 'no row yet' : `for example ${sample}`].filter(
          Boolean,
        );
    return `  ${stream.padEnd(width)}  ${entities.join(', ') || '-'}: ${[seen].flat().join(', ')}`;
  });
  const warnings = problems.map(
    ({ place, problem, remedy, blocks }) => `${blocks ? '✗' : '!'} ${place}: ${problem}${remedy && ` ${remedy}`}`,
  );
  return [...lines, ...(warnings.length > 0 ? ['', ...warnings] : [])].join('\n');
}
