import { Link } from '@tanstack/react-router';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { exact } from '../../parts/time.tsx';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';

/** A reference as records contain it. */
interface ShownReference {
  readonly id?: string | null;
  readonly rel?: string;
  readonly _displayValue?: string;
}

interface FieldValueProps {
  readonly value: unknown;
  readonly kind: string;
  readonly connectionId: string;
}

/** The value of a field: relations as links to their records, dates and numbers in the language of the person. */
export function FieldValue({ value, kind, connectionId }: FieldValueProps) {
  const { general } = useTexts();
  const { language } = useLanguage();
  if (value === null || value === undefined || value === '') return <span className="quiet">–</span>;
  if (kind === 'relation') return <ReferenceLink reference={value as ShownReference} connectionId={connectionId} />;
  if (kind === 'relations') {
    const references = value as readonly ShownReference[];
    return references.map((reference, index) => (
      <span key={reference.id ?? reference._displayValue}>
        {index > 0 && ', '}
        <ReferenceLink reference={reference} connectionId={connectionId} />
      </span>
    ));
  }
  if (typeof value === 'boolean') return value ? general.yes : general.no;
  if (typeof value === 'number') return <span className="numeric">{value.toLocaleString(language)}</span>;
  if (kind === 'datetime') return <span className="numeric">{exact(String(value), language)}</span>;
  if (kind === 'texts' && Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? <code>{JSON.stringify(value)}</code> : String(value);
}

function ReferenceLink({ reference, connectionId }: { reference: ShownReference; connectionId: string }) {
  const { id, rel, _displayValue: label } = reference;
  if (!id || !rel || !catalogEntity(rel)) return <>{label}</>;
  return (
    <Link
      to="/connections/$connectionId/records/$entity/$recordId"
      params={{ connectionId, entity: rel, recordId: id }}
      search={{}}
    >
      {label || id}
    </Link>
  );
}
