import type { Match } from './match-columns.ts';

/** Why a word was drafted for a field. */
export interface Proposal {
  readonly column: string;
  readonly reason: string;
  /** How likely it is that the column means the field, from 0 to 1: an estimate by kind of match. */
  readonly confidence: number;
}

const REASONS = {
  name: { confidence: 0.9, reason: 'The column has the name of the field.' },
  table: { confidence: 0.85, reason: 'The column name is the table name followed by the field name.' },
  synonym: { confidence: 0.7, reason: 'Systems often use this column name for the field.' },
  code: { confidence: 0.6, reason: 'The column has the name of its table, so it may identify the row.' },
} as const;

/** The proposal for a match. Of the `values` in its column, `unassigned` have no counterpart in the document. */
export function proposalOf({ by, column, field }: Match, values: number, unassigned: number): Proposal {
  const { confidence, reason } = REASONS[by];
  const known = values === 0 ? 1 : (values - unassigned) / values;
  const isGuessed = field.kind === 'relation' || (field.kind === 'text' && column.scalar?.type === 'number');
  const remarks = [
    reason,
    ...(field.kind === 'relation' ? ['The way it identifies the other record is inferred from its name.'] : []),
    ...(unassigned > 0 ? [`${unassigned} of its ${values} values are not assigned.`] : []),
  ];
  return {
    column: column.name,
    reason: remarks.join(' '),
    confidence: Math.round((confidence - (isGuessed ? 0.1 : 0)) * (0.5 + known / 2) * 100) / 100,
  };
}
