import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { capabilitiesQuery } from '../records/capability-queries.ts';

interface CheckAccessProps {
  readonly connectionId: string;
  readonly onClose: () => void;
}

/** Reads one row of the connected system with the stored access, and shows what it responds. */
export function CheckAccess({ connectionId: id, onClose }: CheckAccessProps) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const capabilities = useQuery(capabilitiesQuery(id));
  const entity = capabilities.data?.find(({ operations }) => operations.includes('list'))?.entity;
  const check = useQuery({
    queryKey: ['connection', id, 'check', entity],
    queryFn: async () => {
      const began = performance.now();
      await dataOf<Shape<'FieldMappingTrial'>>(
        management.POST('/connections/{id}/field-mappings/{entity}/actions/test-fetch', {
          params: { path: { id, entity: entity as 'Vendor' } },
          body: { fields: {}, limit: 1 },
        }),
      );
      return Math.round(performance.now() - began);
    },
    enabled: entity !== undefined,
    gcTime: 0,
    staleTime: 0,
  });
  const failure = capabilities.error ?? check.error;
  return (
    <Dialog title={connections.check} onClose={onClose}>
      {failure && <ErrorNotice error={failure} onRetry={() => check.refetch()} />}
      {!failure && check.data === undefined && <Loading lines={2} />}
      {check.data !== undefined && (
        <Notice tone="good">
          <p role="status">{connections.checked(check.data)}</p>
        </Notice>
      )}
      <DialogActions>
        <Button look="main" onClick={onClose}>
          {general.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
