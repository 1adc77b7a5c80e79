import type { Shape } from '../../api/document-schemas.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';

type Delivery = Shape<'WebhookDelivery'>;

const TONES = { pending: 'accent', delivered: 'good', failed: 'bad' } as const;

/** The deliveries to an endpoint, newest first, with the last response of each. */
export function DeliveryList({ endpoint: { id: endpointId, url } }: { readonly endpoint: Shape<'WebhookEndpoint'> }) {
  const { webhooks, general } = useTexts();
  const management = useManagement();
  const query = pagedQuery<Delivery>(['webhooks', endpointId, 'deliveries'], (page) =>
    management.GET('/webhook-endpoints/{endpointId}/deliveries', { params: { path: { endpointId }, query: page } }),
  );
  const states: Readonly<Record<string, string>> = webhooks.states;
  const columns: Column<Delivery>[] = [
    { name: webhooks.event, cell: ({ event }) => <code>{event}</code> },
    {
      name: general.status,
      cell: ({ status }) => (
        <Badge tone={TONES[status as keyof typeof TONES] ?? 'plain'}>{states[status] ?? status}</Badge>
      ),
    },
    { name: webhooks.response, cell: ({ responseStatus, error }) => error ?? responseStatus, minor: true },
    { name: webhooks.attempts, cell: ({ attempts }) => attempts, numeric: true },
    { name: general.created, cell: ({ createdAt }) => <Time at={createdAt} />, minor: true },
  ];
  return (
    <section>
      <h2>
        {webhooks.deliveries}: {url}
      </h2>
      <PagedTable
        label={webhooks.deliveries}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={webhooks.noDeliveries}
      />
    </section>
  );
}
