import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { called } from '../../api/called.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { Menu } from '../../parts/menu.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { CheckAccess } from './check-access.tsx';
import type { Connection } from './connection-queries.ts';
import { ConnectionSettings } from './connection-settings.tsx';
import { DeleteConnection } from './delete-connection.tsx';
import { IssueToken } from './issue-token.tsx';
import { RenewAccess } from './renew-access.tsx';

/** What can be done with a connection. */
export function ConnectionMenu({ connection }: { readonly connection: Connection }) {
  const { connections } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const [shown, setShown] = useState<'token' | 'check' | 'renew' | 'settings' | 'delete'>();
  const { id } = connection;
  const isActive = connection.status === 'active';
  const refresh = () => queries.invalidateQueries();
  const sync = useMutation({
    mutationFn: async (mode: 'full' | 'incremental') =>
      called(connectionClient(id).POST('/sync', { body: { mode } } as never)),
    onSettled: refresh,
  });
  const toggle = useMutation({
    mutationFn: async () =>
      called(management.PUT('/connections/{id}/active', { params: { path: { id } }, body: { isActive: !isActive } })),
    onSettled: refresh,
  });
  const close = () => {
    setShown(undefined);
    refresh();
  };
  const failure = sync.error ?? toggle.error;
  return (
    <>
      {failure && <ErrorNotice error={failure} />}
      <Menu
        label={<>{connections.menu} ⌄</>}
        groups={[
          [
            { label: connections.issue, onSelect: () => setShown('token') },
            { label: connections.check, onSelect: () => setShown('check'), disabled: !isActive },
          ],
          [
            { label: connections.syncNow, onSelect: () => sync.mutate('incremental'), disabled: !isActive },
            { label: connections.syncFull, onSelect: () => sync.mutate('full'), disabled: !isActive },
          ],
          [
            { label: isActive ? connections.pause : connections.resume, onSelect: () => toggle.mutate() },
            { label: connections.reauthorize, onSelect: () => setShown('renew') },
            { label: connections.settings, onSelect: () => setShown('settings') },
            { label: connections.delete, onSelect: () => setShown('delete'), danger: true },
          ],
        ]}
      />
      {shown === 'token' && <IssueToken connectionId={id} onClose={close} />}
      {shown === 'check' && <CheckAccess connectionId={id} onClose={close} />}
      {shown === 'renew' && <RenewAccess connection={connection} onClose={close} />}
      {shown === 'settings' && <ConnectionSettings connection={connection} onClose={close} />}
      {shown === 'delete' && <DeleteConnection connection={connection} onClose={close} />}
    </>
  );
}
