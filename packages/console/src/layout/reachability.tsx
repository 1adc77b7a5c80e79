import { useQuery } from '@tanstack/react-query';
import { called } from '../api/called.ts';
import { consoleClient } from '../api/service-clients.ts';
import { Notice } from '../parts/notice.tsx';
import { useTexts } from '../texts/use-texts.ts';
import styles from './reachability.module.css';

const CALM_MS = 15_000;
const ANXIOUS_MS = 2000;

/** A line above the page while the service does not respond. What the page shows remains. */
export function Reachability() {
  const { general } = useTexts();
  const { isError } = useQuery({
    queryKey: ['health'],
    queryFn: () => called(consoleClient.GET('/system/health')),
    refetchInterval: (query) => (query.state.status === 'error' ? ANXIOUS_MS : CALM_MS),
  });
  return (
    <div role="status" className={styles.line}>
      {isError && <Notice tone="warn">{general.unreachable}</Notice>}
    </div>
  );
}
