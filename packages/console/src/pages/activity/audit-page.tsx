import { useState } from 'react';
import type { Shape } from '../../api/document-schemas.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
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
  const columns: Column<AuditEntry>[] = [
    {
      name: activity.action,
      cell: (entry) => (
        <Button small look="quiet" onClick={() => setOpened(entry)}>
          <code>{entry.action}</code>
        </Button>
      ),
    },
    { name: activity.actor, cell: ({ actorType, actor }) => `${types[actorType] ?? actorType} ${actor}` },
    { name: activity.target, cell: ({ target }) => <code>{target}</code>, minor: true },
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
