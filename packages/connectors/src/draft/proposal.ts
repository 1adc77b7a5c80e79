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
  foreignKey: { confidence: 0.75, reason: 'Its foreign key refers to the table of this kind of record.' },
  code: { confidence: 0.6, reason: 'The column has the name of its table, so it may identify the row.' },
} as const;

/** Confidence in a match by name that a foreign key confirms. */
const CONFIRMED = 0.95;

/** The proposal for a match. Of the `values` in its column, `unassigned` have no counterpart in the document. */
export function proposalOf({ by, column, field, referred }: Match, values: number, unassigned: number): Proposal {
  const { confidence, reason } = REASONS[by];
  const isConfirmed = referred !== undefined && by !== 'foreignKey';
  const known = values === 0 ? 1 : (values - unassigned) / values;
  const isUnknown = field.kind === 'relation' && referred === undefined;
  const isGuessed = isUnknown || (field.kind === 'text' && column.scalar?.type === 'number');
  const remarks = [
    reason,
    ...(isUnknown ? ['The way it identifies the other record is inferred from its name.'] : []),
    ...(isConfirmed ? ['A foreign key confirms it.'] : []),
    ...(unassigned > 0 ? [`${unassigned} of its ${values} values are not assigned.`] : []),
  ];
  return {
    column: column.name,
    reason: remarks.join(' '),
    confidence:
      Math.round(((isConfirmed ? CONFIRMED : confidence) - (isGuessed ? 0.1 : 0)) * (0.5 + known / 2) * 100) / 100,
  };
}
