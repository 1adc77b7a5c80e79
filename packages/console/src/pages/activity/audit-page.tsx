import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Shape } from '../../api/document-schemas.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { TextButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { ShortId } from '../../parts/short-id.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { operatorsQuery } from '../../session/operator-queries.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ChangedValues } from '../approvals/changed-values.tsx';
import { valueChanges } from '../approvals/value-changes.ts';

type AuditEntry = Shape<'AuditEntry'>;

/** Who changed what, newest first, with the values before and after. */
export function AuditPage() {
  const { activity } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const [opened, setOpened] = useState<AuditEntry>();
  const query = pagedQuery<AuditEntry>(['application', applicationId, 'audit'], (page) =>
    management.GET('/audit', { params: { query: page } }),
  );
  const types: Readonly<Record<string, string>> = activity.actorTypes;
  const operators = useQuery(operatorsQuery);
  const actorOf = ({ actorType, actor }: AuditEntry) => {
    const operator = operators.data?.find(({ id }) => id === actor);
    return operator ? operator.name : [types[actorType] ?? actorType, <ShortId key="id" id={actor} />];
  };
  const columns: Column<AuditEntry>[] = [
    {
      name: activity.action,
      cell: (entry) => (
        <TextButton onClick={() => setOpened(entry)}>
          <code>{entry.action}</code>
        </TextButton>
      ),
    },
    { name: activity.actor, cell: actorOf },
    { name: activity.target, cell: ({ target }) => <ShortId id={target} />, minor: true },
    { name: activity.address, cell: ({ address }) => address, minor: true },
    { name: activity.at, cell: ({ at }) => <Time at={at} /> },
  ];
  return (
    <Page title={activity.audit} lead={activity.auditLead}>
      <PagedTable
        label={activity.audit}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={activity.noAudit}
      />
      {opened && (
        <Dialog wide title={opened.action} onClose={() => setOpened(undefined)}>
          <ChangedValues changes={valueChanges(opened.before as object as never, opened.after as object as never)} />
        </Dialog>
      )}
    </Page>
  );
}
