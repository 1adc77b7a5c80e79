import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { connectionClient } from '../../api/service-clients.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { WriteBadge } from '../writes/write-badge.tsx';
import { changesOfRecord } from './record-changes.ts';
import styles from './record-history.module.css';

interface RecordHistoryProps {
  readonly connectionId: string;
  readonly entity: string;
  readonly recordId: string;
}

/** The writes of a record, and the changes of it that the log still has, newest first. */
export function RecordHistory({ connectionId, entity, recordId }: RecordHistoryProps) {
  const { records } = useTexts();
  const client = connectionClient(connectionId);
  const key = ['connection', connectionId, 'history', entity, recordId];
  const writes = useQuery({
    queryKey: [...key, 'writes'],
    queryFn: async () => (await client.writes.list({ targetId: recordId, per_page: 20 })).data,
  });
  const changes = useQuery({
    queryKey: [...key, 'changes'],
    queryFn: () => changesOfRecord(client, { entity, recordId }),
  });
  const failure = writes.error ?? changes.error;
  if (failure) return <ErrorNotice error={failure} />;
  if (!writes.data || !changes.data) return <Loading />;
  if (writes.data.length + changes.data.length === 0) return <Empty title={records.noHistory} />;
  return (
    <>
      {writes.data.length > 0 && <h3>{records.ownWrites}</h3>}
      <ul className={styles.list}>
        {writes.data.map(({ writeId, operation, status, createdAt }) => (
          <li key={writeId} className={styles.entry}>
            <Link to="/connections/$connectionId/writes/$writeId" params={{ connectionId, writeId }} search={{}}>
              {operation}
            </Link>
            <WriteBadge status={status} />
            <Time at={createdAt} />
          </li>
        ))}
      </ul>
      {changes.data.length > 0 && <h3>{records.changes}</h3>}
      <ul className={styles.list}>
        {changes.data.map(({ seq, kind, fields, at }) => (
          <li key={seq} className={styles.entry}>
            <span>{records.changeKinds[kind as keyof typeof records.changeKinds] ?? kind}</span>
            <code className={styles.fields}>{fields.join(', ')}</code>
            <Time at={at} />
          </li>
        ))}
      </ul>
    </>
  );
}
