import { useState } from 'react';
import type { Shape } from '../../api/document-schemas.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, TextButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { AskSupport } from './ask-support.tsx';

type SupportRequest = Shape<'SupportRequest'>;

const TONES: Readonly<Record<string, Tone>> = { open: 'accent', answered: 'good' };

/** Questions to the operators of the service, with their status. */
export function SupportPage() {
  const { support, general } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const mayAsk = useMayChange();
  const [isAsking, setAsking] = useState(false);
  const [opened, setOpened] = useState<SupportRequest>();
  const query = pagedQuery<SupportRequest>(['application', applicationId, 'support'], (page) =>
    management.GET('/support-requests', { params: { query: page } }),
  );
  const states: Readonly<Record<string, string>> = support.states;
  const columns: Column<SupportRequest>[] = [
    {
      name: support.subject,
      cell: (request) => <TextButton onClick={() => setOpened(request)}>{request.subject}</TextButton>,
    },
    {
      name: general.status,
      cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{states[status] ?? status}</Badge>,
    },
    { name: general.created, cell: ({ createdAt }) => <Time at={createdAt} />, minor: true },
    { name: general.updated, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
  const ask = mayAsk && (
    <Button look="main" onClick={() => setAsking(true)}>
      {support.ask}
    </Button>
  );
  return (
    <Page title={support.title} lead={support.lead} actions={ask}>
      <PagedTable label={support.title} query={query} columns={columns} rowKey={({ id }) => id} empty={support.none} />
      {isAsking && <AskSupport onClose={() => setAsking(false)} />}
      {opened && (
        <Dialog title={opened.subject} onClose={() => setOpened(undefined)}>
          <p className="lines">{opened.body}</p>
        </Dialog>
      )}
    </Page>
  );
}
