import { useState } from 'react';
import type { Shape } from '../../api/document-schemas.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, TextButton } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointMenu } from './endpoint-menu.tsx';

type Endpoint = Shape<'WebhookEndpoint'>;

/** The addresses that are notified of events, and the deliveries to the chosen one. */
export function WebhooksPage() {
  const { webhooks, general } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const mayChange = useMayChange();
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Endpoint>();
  const query = pagedQuery<Endpoint>(['application', applicationId, 'webhooks'], (page) =>
    management.GET('/webhook-endpoints', { params: { query: page } }),
  );
  const stateOf = ({ isActive, failingSince, inactiveReason }: Endpoint) => {
    const reasons: Readonly<Record<string, string>> = webhooks.reasons;
    if (!isActive) return <Badge tone="bad">{reasons[inactiveReason ?? ''] ?? webhooks.paused}</Badge>;
    return failingSince ? <Badge tone="warn">{webhooks.failing}</Badge> : <Badge tone="good">{webhooks.active}</Badge>;
  };
  const columns: Column<Endpoint>[] = [
    {
      name: webhooks.address,
      cell: (endpoint) => (
        <TextButton aria-expanded={opened?.id === endpoint.id} onClick={() => setOpened(endpoint)}>
          {endpoint.url}
        </TextButton>
      ),
    },
    { name: webhooks.events, cell: ({ events }) => events.join(', ') || general.all, minor: true },
    { name: general.status, cell: stateOf },
    { name: general.created, cell: ({ createdAt }) => <Time at={createdAt} />, minor: true },
    { name: webhooks.actions, actions: true, cell: (endpoint) => mayChange && <EndpointMenu endpoint={endpoint} /> },
  ];
  const add = mayChange && (
    <Button look="main" onClick={() => setAdding(true)}>
      {webhooks.add}
    </Button>
  );
  return (
    <Page title={webhooks.title} lead={webhooks.lead} actions={add}>
      <PagedTable
        label={webhooks.title}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={webhooks.none}
      />
      {opened && <DeliveryList endpoint={opened} />}
      {isAdding && <AddEndpoint onClose={() => setAdding(false)} />}
    </Page>
  );
}
