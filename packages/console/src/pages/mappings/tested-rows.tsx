import type { Shape } from '../../api/document-schemas.ts';
import { Code } from '../../parts/code.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';

/** Rows of the connected system with the records that a mapping makes of them. */
export function TestedRows({ rows }: { readonly rows: readonly Shape<'MappedRow'>[] }) {
  const { studio } = useTexts();
  if (rows.length === 0) return <Notice>{studio.noRows}</Notice>;
  return rows.map(({ key, row, record, problems }) => (
    <details key={key} open={problems.length > 0}>
      <summary>
        <code>{key}</code> {record === null && studio.noRecord}
      </summary>
      {problems.map((problem) => (
        <Notice key={problem} tone="bad">
          {problem}
        </Notice>
      ))}
      {record && <Code text={JSON.stringify(record, null, 2)} label={`${studio.record} ${key}`} />}
      <Code text={JSON.stringify(row, null, 2)} label={`${studio.row} ${key}`} />
    </details>
  ));
}
