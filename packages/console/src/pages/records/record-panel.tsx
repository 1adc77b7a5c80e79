import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { recordCalls } from '../../api/record-calls.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { factsQuery } from '../../contract/load-facts.ts';
import { searchOfView, viewOfSearch } from '../../lists/conditions-of-search.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { RawRow } from './raw-row.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordFields } from './record-fields.tsx';
import { RecordHistory } from './record-history.tsx';
import styles from './record-panel.module.css';

const ROUTE = '/shell/connections/$connectionId/records/$entity/$recordId';

/** One record beside its list: fields with their lineage, history, and the row of the connected system. */
export function RecordPanel() {
  const { records, general } = useTexts();
  const { connectionId, entity: name, recordId } = useParams({ from: ROUTE });
  const searched = useSearch({ strict: false });
  const { panel: wanted } = searched;
  const search = searchOfView(viewOfSearch(searched));
  const navigate = useNavigate();
  const entity = catalogEntity(name);
  const facts = useQuery({ ...factsQuery(name), enabled: entity !== undefined });
  const {
    data: record,
    error,
    refetch,
  } = useQuery({
    queryKey: ['connection', connectionId, 'record', name, recordId],
    queryFn: ({ signal }) =>
      recordCalls(connectionClient(connectionId), entity?.collection ?? '').get(recordId, {
        extend: ['lineage'],
        signal,
      }),
    enabled: entity !== undefined,
  });
  const panel = wanted !== undefined && wanted in records.panels ? (wanted as keyof typeof records.panels) : 'fields';
  const close = { to: '/connections/$connectionId/records/$entity', params: { connectionId, entity: name } } as const;
  return (
    <aside
      className={styles.panel}
      aria-label={record?._displayValue ?? name}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target as Element).closest('dialog')) navigate({ ...close, search });
      }}
    >
      <header className={styles.head}>
        <div className={styles.titles}>
          <p className="quiet">
            {name} {record?.code}
          </p>
          <h2 className={styles.title}>{record?._displayValue ?? '…'}</h2>
        </div>
        <div className={styles.actions}>
          {record && facts.data && entity && <RecordActions {...{ connectionId, entity, record }} facts={facts.data} />}
          <Link {...close} search={search} className={buttonClass('quiet')} aria-label={general.close}>
            ✕
          </Link>
        </div>
      </header>
      <Choice
        label={records.panel}
        options={records.panels}
        value={panel}
        onChange={(next) => navigate({ to: '.', search: { ...search, panel: next }, replace: true })}
      />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {!error && !(record && facts.data) && <Loading lines={8} />}
      {record && facts.data && panel === 'fields' && (
        <RecordFields {...{ connectionId, record }} fields={facts.data.fields} />
      )}
      {record && panel === 'history' && <RecordHistory {...{ connectionId, entity: name, recordId }} />}
      {record && panel === 'raw' && <RawRow {...{ connectionId, record }} />}
    </aside>
  );
}
