import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnyRecord } from '../../api/document-schemas.ts';
import type { CatalogEntity } from '../../contract/entity-catalog.ts';
import type { EntityFacts } from '../../contract/entity-facts.ts';
import { Menu } from '../../parts/menu.tsx';
import { useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { capabilitiesQuery } from './capability-queries.ts';
import type { Write } from './send-form.ts';
import { writableForm } from './writable-form.ts';
import { WriteDialog } from './write-dialog.tsx';

interface RecordActionsProps {
  readonly connectionId: string;
  readonly entity: CatalogEntity;
  readonly record: AnyRecord;
  readonly facts: EntityFacts;
}

/** What can be done with a record: what the connected system supports, and the state of the record allows. */
export function RecordActions({ connectionId, entity, record, facts }: RecordActionsProps) {
  const { records } = useTexts();
  const mayChange = useMayChange();
  const [write, setWrite] = useState<Write>();
  const { data } = useQuery(capabilitiesQuery(connectionId));
  const capability = data?.find((each) => each.entity === entity.name);
  const { actions } = facts;
  const update = facts.update && writableForm(facts.update, capability);
  const mayUpdate = update && capability?.operations.includes('update');
  const supported = actions.filter(({ name }) => capability?.actions.includes(name));
  if (!mayChange || !(mayUpdate || supported.length > 0)) return null;
  const isAllowed = (from: readonly string[] | undefined) =>
    from === undefined || from.includes(String(record.statusCategory));
  return (
    <>
      <Menu
        label={<>{records.actions} ⌄</>}
        groups={[
          mayUpdate
            ? [{ label: update.title, onSelect: () => setWrite({ kind: 'update', form: update, record }) }]
            : [],
          supported.map((form) => ({
            label: form.title,
            disabled: !isAllowed(form.from),
            onSelect: () => setWrite({ kind: 'action', form, record }),
          })),
        ]}
      />
      {write && <WriteDialog {...{ connectionId, entity, write }} onClose={() => setWrite(undefined)} />}
    </>
  );
}
