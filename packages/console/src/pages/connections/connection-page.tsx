import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Card } from '../../parts/card.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ConnectionFacts } from './connection-facts.tsx';
import { ConnectionMenu } from './connection-menu.tsx';
import { connectionsQuery, syncStatusQuery } from './connection-queries.ts';
import { HealthBadge } from './health-badge.tsx';
import { StreamTable } from './stream-table.tsx';
import { SyncProgress } from './sync-progress.tsx';
import { TokenList } from './token-list.tsx';

export function ConnectionPage() {
  const { connections, general } = useTexts();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId' });
  const { applicationId } = useSession();
  const mayChange = useMayChange();
  const { data: all, error, refetch } = useQuery(connectionsQuery(useManagement(), applicationId));
  const connection = all?.find(({ id }) => id === connectionId);
  const isActive = connection?.status === 'active';
  const { data: sync } = useQuery({ ...syncStatusQuery(connectionId), enabled: isActive });
  if (!connection) {
    if (error) return <ErrorNotice error={error} onRetry={refetch} />;
    return <Page title={connections.title}>{all ? <Notice tone="warn">{general.notFound}</Notice> : <Loading />}</Page>;
  }
  const { health } = connection;
  const remedies: Readonly<Record<string, string>> = connections.remedies;
  return (
    <Page
      title={connection.name}
      lead={
        <>
          {connection.platform} · {connections.lastSync}: <Time at={health.lastSyncAt} />
        </>
      }
      actions={mayChange && <ConnectionMenu connection={connection} />}
    >
      {isActive && health.status !== 'ok' && (
        <Notice tone="bad" title={health.message ?? connections.healths.failing}>
          <p>{remedies[health.status]}</p>
        </Notice>
      )}
      <Card title={connections.health} actions={<HealthBadge {...connection} />}>
        {sync && <ConnectionFacts status={sync} />}
        {isActive ? (
          <SyncProgress connectionId={connectionId} />
        ) : (
          <p className="quiet">{connections.healths.inactive}</p>
        )}
      </Card>
      <TokenList connectionId={connectionId} />
      {sync && <StreamTable status={sync} />}
    </Page>
  );
}
