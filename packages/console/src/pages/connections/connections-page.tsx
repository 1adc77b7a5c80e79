import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { AddConnection } from './add-connection.tsx';
import { type Connection, connectionsQuery } from './connection-queries.ts';
import { HealthBadge } from './health-badge.tsx';
import { NextRun, RowCount } from './sync-cells.tsx';

export function ConnectionsPage() {
  const { connections, general } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const mayChange = useMayChange();
  const isAdding = useSearch({ strict: false }).add !== undefined;
  const navigate = useNavigate();
  const setAdding = (shown: boolean) =>
    navigate({ to: '/connections', search: shown ? { add: 'yes' } : {}, replace: true });
  const { data, error, refetch } = useQuery(connectionsQuery(management, applicationId));
  const columns: Column<Connection>[] = [
    {
      name: general.name,
      cell: ({ id, name }) => (
        <Link to="/connections/$connectionId" params={{ connectionId: id }}>
          {name}
        </Link>
      ),
    },
    { name: connections.platform, cell: ({ platform }) => platform, minor: true },
    { name: connections.health, cell: (each) => <HealthBadge {...each} /> },
    { name: connections.lastSync, cell: ({ health }) => <Time at={health.lastSyncAt} /> },
    { name: connections.rows, cell: (each) => <RowCount connection={each} />, numeric: true, minor: true },
    { name: connections.nextRun, cell: (each) => <NextRun connection={each} />, minor: true },
  ];
  const add = mayChange && (
    <Button look="main" onClick={() => setAdding(true)}>
      {connections.add}
    </Button>
  );
  return (
    <Page title={connections.title} lead={connections.lead} actions={add}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      <Card flush>
        {data?.length === 0 && <Empty title={general.none}>{add}</Empty>}
        {data && data.length > 0 && (
          <Table label={connections.title} columns={columns} rows={data} rowKey={({ id }) => id} />
        )}
        {!data && !error && <Loading />}
      </Card>
      {isAdding && mayChange && <AddConnection onClose={() => setAdding(false)} />}
    </Page>
  );
}
