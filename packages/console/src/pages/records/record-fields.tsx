import type { AnyRecord, Shape } from '../../api/document-schemas.ts';
import type { ReadField } from '../../contract/entity-facts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { FieldValue } from './field-value.tsx';
import styles from './record-fields.module.css';

interface RecordFieldsProps {
  readonly connectionId: string;
  readonly record: AnyRecord;
  readonly fields: readonly ReadField[];
}

/** The fields of a record, each with the columns of the connected system that its value comes from. */
export function RecordFields({ connectionId, record, fields }: RecordFieldsProps) {
  const lineage = (record.lineage ?? {}) as Shape<'Lineage'>;
  const shown = fields
    .filter(({ name }) => record[name] !== undefined && name !== 'customFields' && name !== '_implements')
    .toSorted((a, b) => Number(isTechnical(a)) - Number(isTechnical(b)));
  const custom = Object.entries((record.customFields ?? {}) as Readonly<Record<string, unknown>>);
  return (
    <dl className={styles.fields}>
      {shown.map(({ name, kind, description }) => (
        <div key={name} className={styles.field}>
          <dt title={description}>{name}</dt>
          <dd>
            <FieldValue value={record[name]} kind={kind} connectionId={connectionId} />
            <Lineage lineage={lineage[name]} />
          </dd>
        </div>
      ))}
      {custom.map(([name, value]) => (
        <div key={name} className={styles.field}>
          <dt>customFields.{name}</dt>
          <dd>
            <FieldValue value={value} kind="text" connectionId={connectionId} />
            <Lineage lineage={lineage[`customFields.${name}`]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Fields that all records have for programs; people read the others first. */
function isTechnical({ name }: ReadField): boolean {
  return name === 'id' || name.startsWith('_');
}

function Lineage({ lineage }: { readonly lineage: Shape<'FieldLineage'> | undefined }) {
  const { records } = useTexts();
  if (!lineage || lineage.columns.length === 0) return null;
  const columns = lineage.columns.map(({ name, value }) => `${lineage.stream}.${name} = ${JSON.stringify(value)}`);
  return (
    <p className={styles.lineage} title={records.lineage(lineage.revision)}>
      {columns.join(', ')}
    </p>
  );
}
