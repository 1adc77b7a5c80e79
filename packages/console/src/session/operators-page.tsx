import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitedOperator, Operator, OperatorRole } from '../api/console-schemas.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Code } from '../parts/code.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Loading } from '../parts/loading.tsx';
import { Menu } from '../parts/menu.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { createLink, operatorsQuery, updateOperator } from './operator-queries.ts';
import { useSession } from './session-context.ts';

export function OperatorsPage() {
  const { operators, account, general, webhooks } = useTexts();
  const own = useSession().operator.id;
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(operatorsQuery);
  const [isInviting, setInviting] = useState(false);
  const [linked, setLinked] = useState<InvitedOperator>();
  const refresh = () => queries.invalidateQueries(operatorsQuery);
  const change = useMutation({
    mutationFn: ({ id, isActive }: Operator) => updateOperator(id, { isActive: !isActive }),
    onSettled: refresh,
  });
  const link = useMutation({ mutationFn: createLink, onSuccess: setLinked });
  const stateOf = ({ isActive, isInvited }: Operator) => {
    if (!isActive) return <Badge>{operators.inactive}</Badge>;
    return isInvited ? <Badge tone="accent">{operators.invited}</Badge> : <Badge tone="good">{operators.active}</Badge>;
  };
  const columns: Column<Operator>[] = [
    { name: general.name, cell: ({ name }) => name },
    { name: operators.email, cell: ({ email }) => email, minor: true },
    { name: operators.role, cell: ({ role }) => account.roles[role as OperatorRole] },
    { name: general.status, cell: stateOf },
    { name: operators.lastSignIn, cell: ({ lastSignInAt }) => <Time at={lastSignInAt} />, minor: true },
    {
      name: webhooks.actions,
      actions: true,
      cell: (operator) => (
        <Menu
          label="⋯"
          name={`${general.open}: ${operator.name}`}
          groups={[
            [{ label: operators.newLink, onSelect: () => link.mutate(operator.id) }],
            [
              {
                label: operator.isActive ? operators.deactivate : operators.activate,
                onSelect: () => change.mutate(operator),
                disabled: operator.id === own,
              },
            ],
          ]}
        />
      ),
    },
  ];
  const invite = (
    <Button look="main" onClick={() => setInviting(true)}>
      {operators.invite}
    </Button>
  );
  return (
    <Page title={operators.title} lead={operators.lead} actions={invite}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {(change.error ?? link.error) && <ErrorNotice error={change.error ?? link.error} />}
      <Card flush>
        {data ? (
          <Table label={operators.title} columns={columns} rows={data} rowKey={({ id }) => id} />
        ) : (
          !error && <Loading />
        )}
      </Card>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(invited) => {
            setInviting(false);
            setLinked(invited);
            refresh();
          }}
        />
      )}
      {linked && (
        <Dialog title={operators.linkTitle} onClose={() => setLinked(undefined)}>
          <p>{operators.linkLead}</p>
          <Code text={linked.link} label={operators.linkTitle} />
          <p className="quiet">
            {general.expires}: <Time at={linked.linkExpiresAt} />
          </p>
        </Dialog>
      )}
    </Page>
  );
}
