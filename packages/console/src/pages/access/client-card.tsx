import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { called, dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';

/** A client with its secrets. Only an admin can create and revoke them. */
export function ClientCard({ client }: { readonly client: Shape<'OAuthClient'> }) {
  const { access, general, connections } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const mayChange = useMayChange('admin');
  const { id: clientId, name } = client;
  const key = ['clients', clientId, 'secrets'];
  const refresh = () => queries.invalidateQueries({ queryKey: key });
  const secrets = useQuery({
    queryKey: key,
    queryFn: () =>
      dataOf<Shape<'ClientSecretEntry'>[]>(
        management.GET('/clients/{clientId}/secrets', { params: { path: { clientId } } }),
      ),
    enabled: mayChange,
  });
  const creation = useMutation({
    mutationFn: () =>
      dataOf<Shape<'ClientSecret'>>(
        management.POST('/clients/{clientId}/secrets', { params: { path: { clientId } }, body: {} }),
      ),
    onSettled: refresh,
  });
  const revocation = useMutation({
    mutationFn: async (secretId: string) =>
      called(management.DELETE('/clients/{clientId}/secrets/{secretId}', { params: { path: { clientId, secretId } } })),
    onSettled: refresh,
  });
  const columns: Column<Shape<'ClientSecretEntry'>>[] = [
    { name: access.hint, cell: ({ hint }) => <code>…{hint}</code> },
    { name: general.created, cell: ({ createdAt }) => <Time at={createdAt} />, minor: true },
    { name: connections.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      name: general.expires,
      cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : general.never),
      minor: true,
    },
    {
      name: connections.revoke,
      actions: true,
      cell: ({ id, hint, revokedAt }) =>
        revokedAt ? (
          <Badge>{access.revoked}</Badge>
        ) : (
          <Button
            small
            look="danger"
            aria-label={`${connections.revoke}: ${hint}`}
            onClick={() => revocation.mutate(id)}
          >
            {connections.revoke}
          </Button>
        ),
    },
  ];
  const failure = secrets.error ?? creation.error ?? revocation.error;
  const create = mayChange && (
    <Button small busy={creation.isPending} onClick={() => creation.mutate()}>
      {access.createSecret}
    </Button>
  );
  return (
    <Card title={name} actions={create} flush>
      {failure && <ErrorNotice error={failure} />}
      {!mayChange && <Empty title={access.adminOnly} />}
      {mayChange && !secrets.data && !secrets.error && <Loading lines={2} />}
      {secrets.data && secrets.data.length > 0 && (
        <Table label={access.secrets} columns={columns} rows={secrets.data} rowKey={({ id }) => id} />
      )}
      {secrets.data?.length === 0 && <Empty title={access.noSecrets} />}
      {creation.data && (
        <Dialog title={access.created} onClose={() => creation.reset()}>
          <p>{connections.issuedLead}</p>
          <Code text={`CLIENT_ID=${clientId}\nCLIENT_SECRET=${creation.data.secret}`} label={access.created} />
        </Dialog>
      )}
    </Card>
  );
}
