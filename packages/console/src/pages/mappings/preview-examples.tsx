import type { Shape } from '../../api/document-schemas.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { useTexts } from '../../texts/use-texts.ts';

type FieldChange = Shape<'FieldChange'>;

/** Values that a mapping would change, before and after. */
export function PreviewExamples({ examples }: { readonly examples: readonly FieldChange[] }) {
  const { studio, approvals } = useTexts();
  if (examples.length === 0) return null;
  const columns: Column<FieldChange>[] = [
    { name: studio.row, cell: ({ key }) => <code>{key}</code> },
    { name: studio.field, cell: ({ field }) => <code>{field}</code> },
    { name: approvals.before, cell: ({ before }) => shownValue(before) },
    { name: approvals.after, cell: ({ after }) => shownValue(after) },
  ];
  return (
    <Table label={studio.examples} columns={columns} rows={examples} rowKey={({ key, field }) => `${key} ${field}`} />
  );
}

/** A value of a record as text. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
