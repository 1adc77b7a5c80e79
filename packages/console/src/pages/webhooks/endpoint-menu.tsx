import { useMutation, useQueryClient } from '@tanstack/react-query';
import { called } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Menu } from '../../parts/menu.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';

type EndpointAction = 'test' | 'toggle' | 'delete';

/** What can be done with an endpoint: send a test event, pause it, or delete it. */
export function EndpointMenu({ endpoint }: { readonly endpoint: Shape<'WebhookEndpoint'> }) {
  const { webhooks, general } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const { id: endpointId, url, isActive } = endpoint;
  const params = { path: { endpointId } };
  const act = useMutation({
    mutationFn: async (action: EndpointAction): Promise<unknown> => {
      const address = '/webhook-endpoints/{endpointId}';
      if (action === 'test') return called(management.POST(`${address}/actions/test`, { params }));
      if (action === 'delete') return called(management.DELETE(address, { params }));
      return called(management.PATCH(address, { params, body: { isActive: !isActive } }));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <>
      {act.error && <ErrorNotice error={act.error} />}
      <Menu
        label="⋯"
        name={`${webhooks.actions}: ${url}`}
        groups={[
          [{ label: webhooks.test, onSelect: () => act.mutate('test') }],
          [
            { label: isActive ? webhooks.pause : webhooks.resume, onSelect: () => act.mutate('toggle') },
            { label: general.delete, onSelect: () => act.mutate('delete'), danger: true },
          ],
        ]}
      />
    </>
  );
}
