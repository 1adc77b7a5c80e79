import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { useAccessRequests } from './approval-queries.ts';
import { Proposal } from './proposal.tsx';

/** What agents request: what each call would change, and the decision about it. */
export function ApprovalsPage() {
  const { approvals, general } = useTexts();
  const [status, setStatus] = useState<keyof typeof approvals.states>('pending');
  const { requests, error } = useAccessRequests(status);
  return (
    <Page title={approvals.title} lead={approvals.lead}>
      <div>
        <Choice label={general.status} options={approvals.states} value={status} onChange={setStatus} />
      </div>
      {error && <ErrorNotice error={error} />}
      {!requests && !error && <Loading />}
      {requests?.length === 0 && <Empty title={approvals.none}>{approvals.noneLead}</Empty>}
      {requests?.map(({ customer, request }) => (
        <Proposal key={request.id} customer={customer} request={request} />
      ))}
    </Page>
  );
}
