import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { syncStatusQuery } from './connection-queries.ts';
import styles from './sync-progress.module.css';
import { syncSummary } from './sync-summary.ts';

/** How far the copy of a connection is, live while a sync runs. */
export function SyncProgress({ connectionId }: { readonly connectionId: string }) {
  const { connections } = useTexts();
  const { language } = useLanguage();
  const { data, error, refetch } = useQuery(syncStatusQuery(connectionId));
  if (!data) return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p className="quiet">…</p>;
  const { copied, streams, running } = syncSummary(data);
  const isComplete = copied === streams && !running;
  const count = (value: number) => value.toLocaleString(language);
  return (
    <div className={styles.progress}>
      {!isComplete && (
        <progress className={styles.bar} value={copied} max={Math.max(streams, 1)} aria-label={connections.streams} />
      )}
      <p className={styles.text} aria-live="polite">
        {isComplete ? connections.upToDate : connections.progress(copied, streams)}{' '}
        {running && <span className="quiet numeric">{connections.copying(running.stream, count(running.rows))}</span>}
      </p>
    </div>
  );
}
