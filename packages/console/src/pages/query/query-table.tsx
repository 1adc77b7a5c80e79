import type { Shape } from '../../api/document-schemas.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { useLanguage } from '../../texts/use-texts.ts';

interface QueryTableProps {
  readonly result: Shape<'QueryResult'>;
  readonly label: string;
}

interface NumberedRow {
  readonly number: number;
  readonly values: readonly unknown[];
}

/** The rows of a statement. */
export function QueryTable({ result: { columns, rows }, label }: QueryTableProps) {
  const { language } = useLanguage();
  const shown = columns.map(
    ({ name, type }, place): Column<NumberedRow> => ({
      name,
      numeric: type === 'number',
      cell: ({ values }) => cellText(values[place], language),
    }),
  );
  const numbered = rows.map((values, number) => ({ number, values }));
  return <Table label={label} columns={shown} rows={numbered} rowKey={({ number }) => String(number)} />;
}

function cellText(value: unknown, language: string): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return value.toLocaleString(language, { maximumFractionDigits: 6 });
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
