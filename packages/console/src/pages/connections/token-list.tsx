import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { called } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { tokensQuery } from './connection-queries.ts';
import { IssueToken } from './issue-token.tsx';

/** The tokens of a connection; issuing and revoking them. */
export function TokenList({ connectionId: id }: { readonly connectionId: string }) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const mayIssue = useMayChange();
  const [isIssuing, setIssuing] = useState(false);
  const query = tokensQuery(management, id);
  const { data, error, refetch } = useQuery(query);
  const revocation = useMutation({
    mutationFn: async (tokenId: string) =>
      called(management.DELETE('/connections/{id}/tokens/{tokenId}', { params: { path: { id, tokenId } } })),
    onSettled: () => queries.invalidateQueries(query),
  });
  const scopeNames: Readonly<Record<string, string>> = connections.scopeNames;
  const columns: Column<Shape<'ConnectionTokenEntry'>>[] = [
    { name: connections.tokenName, cell: ({ name }) => name || <span className="quiet">{connections.unnamed}</span> },
    {
      name: connections.scopes,
      cell: ({ scopes }) => scopes.map((scope) => scopeNames[scope] ?? scope).join(', '),
      minor: true,
    },
    { name: connections.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, minor: true },
    { name: general.expires, cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : general.never) },
    {
      name: connections.revoke,
      actions: true,
      cell: ({ id: tokenId, name }) => (
        <Button
          small
          look="danger"
          aria-label={`${connections.revoke}: ${name}`}
          disabled={!mayIssue}
          onClick={() => revocation.mutate(tokenId)}
        >
          {connections.revoke}
        </Button>
      ),
    },
  ];
  const issue = mayIssue && (
    <Button small onClick={() => setIssuing(true)}>
      {connections.issue}
    </Button>
  );
  return (
    <Card title={connections.tokens} actions={issue} flush>
      {(error ?? revocation.error) && <ErrorNotice error={error ?? revocation.error} onRetry={refetch} />}
      {data?.length === 0 && <Empty title={connections.noTokens} />}
      {data && data.length > 0 && (
        <Table label={connections.tokens} columns={columns} rows={data} rowKey={({ id: tokenId }) => tokenId} />
      )}
      {!data && !error && <Loading lines={2} />}
      {isIssuing && (
        <IssueToken
          connectionId={id}
          onClose={() => {
            setIssuing(false);
            queries.invalidateQueries(query);
          }}
        />
      )}
    </Card>
  );
}
