import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { called } from '../../api/called.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { Connection } from './connection-queries.ts';

interface DeleteConnectionProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Asks before a connection is deleted, and states what that means. */
export function DeleteConnection({ connection: { id, name }, onClose }: DeleteConnectionProps) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: async () => called(management.DELETE('/connections/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      onClose();
      return navigate({ to: '/connections', search: {} });
    },
  });
  return (
    <Dialog title={connections.deleteTitle} onClose={onClose}>
      <p>{connections.deleteLead(name)}</p>
      {deletion.error && <ErrorNotice error={deletion.error} />}
      <DialogActions>
        <Button onClick={onClose}>{general.cancel}</Button>
        <Button look="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
          {general.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
