import type { Shape } from '../../api/document-schemas.ts';

/** A point of a chart. */
export interface ChartPoint {
  readonly label: string;
  readonly value: number;
}

/** A chart that a result can be shown as. */
export interface ChartData {
  readonly kind: 'bar' | 'line';
  readonly points: readonly ChartPoint[];
}

/** A chart with more points cannot be read. */
const MOST_POINTS = 100;
const TIMES = ['date', 'datetime'];
const DAY = /^\d{4}-\d{2}(-\d{2})?/;

/**
 * The chart of a result with two columns, of which the second has numbers: a line over time, otherwise bars. Undefined for other
 * results, and for those with more points than a chart can show.
 */
export function chartOf({ columns, rows }: Pick<Shape<'QueryResult'>, 'columns' | 'rows'>): ChartData | undefined {
  const [first] = columns;
  if (columns.length !== 2 || !first || rows.length < 2 || rows.length > MOST_POINTS) return undefined;
  const points = rows.map(([label, value]) => ({ label: String(label ?? '–'), value: Number(value ?? 0) }));
  if (rows.some(([, value]) => value !== null && typeof value !== 'number')) return undefined;
  const isTime = TIMES.includes(first.type) || rows.every(([label]) => DAY.test(String(label)));
  return { kind: isTime ? 'line' : 'bar', points };
}
