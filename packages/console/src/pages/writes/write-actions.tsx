import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { WriteRecord } from '@unified/sdk';
import { connectionClient } from '../../api/service-clients.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';

type WriteAction = 'retry' | 'verify' | 'cancel' | 'compensate';

/** What the state of a write allows. */
const ALLOWED: Readonly<Record<string, readonly WriteAction[]>> = {
  unknown: ['verify'],
  failed: ['retry'],
  cancelled: ['retry'],
  pending: ['cancel'],
  succeeded: ['compensate'],
};
/** Operations that a new write can revert. */
const REVERTIBLE = ['create', 'update', 'replace'];

interface WriteActionsProps {
  readonly connectionId: string;
  readonly write: WriteRecord;
}

/** Buttons for what can be done with a write. Reverting it leads to the page of the new write. */
export function WriteActions({ connectionId, write }: WriteActionsProps) {
  const { writes } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: async (action: WriteAction) => {
      const client = connectionClient(connectionId);
      return client.writes[action](write.writeId) as Promise<WriteRecord>;
    },
    onSuccess: async ({ writeId }) => {
      await queries.invalidateQueries({ queryKey: ['connection', connectionId] });
      if (writeId === write.writeId) return;
      const params = { connectionId, writeId };
      await navigate({ to: '/connections/$connectionId/writes/$writeId', params, search: {} });
    },
  });
  const allowed = (ALLOWED[write.status] ?? []).filter(
    (action) => action !== 'compensate' || REVERTIBLE.includes(write.op),
  );
  return (
    <>
      {act.error && <ErrorNotice error={act.error} />}
      {allowed.map((action) => (
        <Button key={action} busy={act.isPending} onClick={() => act.mutate(action)} title={writes.actionHints[action]}>
          {writes.actions[action]}
        </Button>
      ))}
    </>
  );
}
