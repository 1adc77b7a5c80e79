import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConsoleSession } from '../api/console-schemas.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Loading } from '../parts/loading.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { browserName } from './browser-name.ts';
import { endSession, sessionsQuery } from './operator-queries.ts';

export function SessionsPage() {
  const { sessions } = useTexts();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const ending = useMutation({
    mutationFn: endSession,
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  });
  const methods: Readonly<Record<string, string>> = sessions.methods;
  const columns: Column<ConsoleSession>[] = [
    { name: sessions.browser, cell: ({ browser }) => browserName(browser) ?? sessions.unknownBrowser },
    { name: sessions.address, cell: ({ address }) => <code>{address}</code>, minor: true },
    { name: sessions.method, cell: ({ method }) => methods[method] ?? method, minor: true },
    { name: sessions.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      name: sessions.end,
      actions: true,
      cell: ({ id, browser, isCurrent }) =>
        isCurrent ? (
          <Badge tone="accent">{sessions.current}</Badge>
        ) : (
          <Button
            small
            look="danger"
            aria-label={`${sessions.end}: ${browserName(browser) ?? sessions.unknownBrowser}`}
            onClick={() => ending.mutate(id)}
          >
            {sessions.end}
          </Button>
        ),
    },
  ];
  return (
    <Page title={sessions.title} lead={sessions.lead}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {ending.error && <ErrorNotice error={ending.error} />}
      <Card flush>
        {data ? (
          <Table label={sessions.title} columns={columns} rows={data} rowKey={({ id }) => id} />
        ) : (
          !error && <Loading />
        )}
      </Card>
    </Page>
  );
}
