import { useMutation, useQuery } from '@tanstack/react-query';
import type { Client } from '@unified/sdk';
import { useState } from 'react';
import { called, dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './studio.module.css';

interface DraftFromTableProps {
  readonly connectionId: string;
  readonly entity: string;
  /** The table that is read now. */
  readonly stream: string;
  readonly onDraft: (draft: Shape<'FieldMappingDraft'>) => void;
}

/** Proposes words for the columns of a table. A table that nothing copies yet is copied from then on. */
export function DraftFromTable({ connectionId: id, entity, stream, onDraft }: DraftFromTableProps) {
  const { studio } = useTexts();
  const management = useManagement();
  const mayChange = useMayChange();
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const tables = useQuery({
    queryKey: ['source-tables', id],
    queryFn: () => allTables(management, id),
    // Some systems have thousands of tables.
    enabled: isChoosing,
    staleTime: 60_000,
  });
  const draft = useMutation({
    mutationFn: async (table: string) => {
      const made = await dataOf<Shape<'FieldMappingDraft'>>(
        management.POST('/connections/{id}/field-mappings/{entity}/actions/draft', {
          params: { path: { id, entity: entity as 'Vendor' } },
          body: { table },
        }),
      );
      const { customStream } = made;
      if (customStream) await addStream(customStream);
      return made;
    },
    onSuccess: onDraft,
  });
  const addStream = async (added: Shape<'CustomStream'>) => {
    const path = { id };
    const { streams } = await dataOf<Shape<'CustomStreams'>>(
      management.GET('/connections/{id}/custom-streams', { params: { path } }),
    );
    const body = { streams: [...streams.filter(({ name }) => name !== added.name), added] };
    await called(management.PUT('/connections/{id}/custom-streams', { params: { path }, body }));
  };
  const table = chosen ?? tables.data?.find((each) => each.stream === stream)?.name ?? stream;
  if (!mayChange) return null;
  return (
    <>
      {(tables.error ?? draft.error) && <ErrorNotice error={tables.error ?? draft.error} />}
      <div className={styles.filters}>
        <SelectField
          narrow
          label={studio.table}
          onFocus={() => setChoosing(true)}
          value={table}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {!tables.data && <option value={stream}>{stream}</option>}
          {tables.data?.map(({ name, label }) => (
            <option key={name} value={name}>
              {label ? `${name} (${label})` : name}
            </option>
          ))}
        </SelectField>
        <Button busy={draft.isPending} disabled={table === ''} onClick={() => draft.mutate(table)}>
          {studio.draft}
        </Button>
      </div>
    </>
  );
}

interface TablePage {
  readonly data: readonly Shape<'SourceTable'>[];
  readonly meta: { readonly next_cursor?: string | null };
}

/** All tables of the connected system, by name. */
async function allTables(management: Client, id: string): Promise<Shape<'SourceTable'>[]> {
  const tables: Shape<'SourceTable'>[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== undefined && cursor !== null; ) {
    const query = { per_page: 100, ...(cursor !== '' && { cursor }) };
    const call = management.GET('/connections/{id}/source-tables', { params: { path: { id }, query } });
    const page: TablePage = await called<TablePage>(call);
    tables.push(...page.data);
    cursor = page.meta.next_cursor;
  }
  return tables;
}
