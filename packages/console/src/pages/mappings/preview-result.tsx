import type { Shape } from '../../api/document-schemas.ts';
import { Notice } from '../../parts/notice.tsx';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';

/** What a revision would change in the stored records. */
export function PreviewResult({ preview }: { readonly preview: Shape<'FieldMappingPreview'> }) {
  const { mappings } = useTexts();
  const { language } = useLanguage();
  const { records, created, deleted, rows, fields, isComplete } = preview;
  const count = (value: number) => value.toLocaleString(language);
  return (
    <Notice
      tone={records + created + deleted > 0 ? 'warn' : 'good'}
      title={mappings.wouldChange(count(records), count(rows))}
    >
      {(created > 0 || deleted > 0) && <p>{mappings.createdDeleted(count(created), count(deleted))}</p>}
      <ul>
        {fields.map(({ field, records: changed }) => (
          <li key={field}>
            <code>{field}</code>: {count(changed)}
          </li>
        ))}
      </ul>
      {!isComplete && <p>{mappings.incomplete}</p>}
    </Notice>
  );
}
