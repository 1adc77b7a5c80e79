import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { connectionsQuery } from '../connections/connection-queries.ts';
import { useCurrentConnection } from '../connections/current-connection.ts';
import { HealthBadge } from '../connections/health-badge.tsx';
import { SyncProgress } from '../connections/sync-progress.tsx';
import { FirstCalls } from './first-calls.tsx';
import styles from './start-page.module.css';

export function StartPage() {
  const { start, connections } = useTexts();
  const { applicationId } = useSession();
  const { connection } = useCurrentConnection();
  const { data, error, refetch } = useQuery(connectionsQuery(useManagement(), applicationId));
  return (
    <Page title={start.title} lead={start.lead}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      <Card title={start.running} flush>
        {!data && !error && <Loading />}
        {data?.length === 0 && (
          <Empty title={start.noConnections}>
            <p>{start.noConnectionsLead}</p>
            <Link to="/connections" search={{ add: 'yes' }} className={buttonClass('main')}>
              {connections.add}
            </Link>
          </Empty>
        )}
        <ul>
          {data?.map((each) => (
            <li key={each.id} className={styles.connection}>
              <div className={styles.head}>
                <Link to="/connections/$connectionId" params={{ connectionId: each.id }} className={styles.name}>
                  {each.name}
                </Link>
                <HealthBadge {...each} />
                <span className="quiet">
                  {connections.lastSync}: <Time at={each.health.lastSyncAt} />
                </span>
              </div>
              {each.status === 'active' && <SyncProgress connectionId={each.id} />}
            </li>
          ))}
        </ul>
      </Card>
      {connection?.status === 'active' && <FirstCalls key={connection.id} connectionId={connection.id} />}
    </Page>
  );
}
