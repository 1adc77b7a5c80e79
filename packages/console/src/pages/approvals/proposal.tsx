import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { called } from '../../api/called.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/code.tsx';
import { TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { CustomerRequest } from './approval-queries.ts';
import { ChangedValues } from './changed-values.tsx';
import styles from './proposal.module.css';
import { proposedChanges } from './value-changes.ts';

type Decision = 'approved' | 'denied';

/** A request of an agent: the tool, the reason, what would change, and the buttons to decide. */
export function Proposal({ customer, request }: CustomerRequest) {
  const { approvals } = useTexts();
  const { operator } = useSession();
  const management = useManagement();
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const [note, setNote] = useState('');
  const { id: requestId, tool, platform, reason, proposal, approvals: approvers, requiredApprovals } = request;
  const decide = useMutation({
    mutationFn: async (decision: Decision) => {
      const path = { endCustomerId: customer.id, requestId };
      const body = { decision, approver: operator.email, ...(note !== '' && { note }) };
      const call = management.PUT('/end-customers/{endCustomerId}/access-requests/{requestId}', {
        params: { path },
        body,
      });
      return called(call);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['approvals'] }),
  });
  const isPending = request.status === 'pending';
  return (
    <Card
      title={<code>{tool}</code>}
      actions={<Badge tone={isPending ? 'warn' : 'plain'}>{stateOf(request.status, approvals.states)}</Badge>}
    >
      <div className={styles.body}>
        <p className="quiet">
          {customer.name} · {platform} · <Time at={request.createdAt} />
          {request.expiresAt && (
            <>
              {' '}
              · {approvals.until} <Time at={request.expiresAt} />
            </>
          )}
        </p>
        {reason && <blockquote className={styles.reason}>{reason}</blockquote>}
        {proposal ? (
          <>
            {typeof proposal.before?._displayValue === 'string' && (
              <p className={styles.target}>{proposal.before._displayValue}</p>
            )}
            <h3>{approvals.wouldChange}</h3>
            <ChangedValues changes={proposedChanges(proposal.before, proposal.after)} />
            <details>
              <summary>{approvals.arguments}</summary>
              <Code text={JSON.stringify(proposal.arguments, null, 2)} label={approvals.arguments} />
            </details>
          </>
        ) : (
          <p className="quiet">{approvals.toolOnly}</p>
        )}
        {requiredApprovals > 1 && <p>{approvals.needed(approvers.length, requiredApprovals)}</p>}
        {decide.error && <ErrorNotice error={decide.error} />}
        {isPending && mayChange && (
          <div className={styles.decision}>
            <TextField
              label={approvals.note}
              value={note}
              maxLength={2000}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
            <Button look="main" busy={decide.isPending} onClick={() => decide.mutate('approved')}>
              {approvals.approve}
            </Button>
            <Button look="danger" busy={decide.isPending} onClick={() => decide.mutate('denied')}>
              {approvals.deny}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

function stateOf(status: string, names: Readonly<Record<string, string>>): string {
  return names[status] ?? status;
}
