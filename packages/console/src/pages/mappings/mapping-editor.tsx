import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import type { EntityFacts, ReadField } from '../../contract/entity-facts.ts';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { DraftFromTable } from './draft-from-table.tsx';
import { editedFields, newestOf, textsOfFields, type WordTexts } from './mapping-edit.ts';
import type { Revision } from './mapping-queries.ts';
import { MappingTrials } from './mapping-trials.tsx';
import { SourceColumns } from './source-columns.tsx';
import styles from './studio.module.css';
import { WordRows } from './word-rows.tsx';

interface MappingEditorProps {
  readonly connectionId: string;
  readonly entity: string;
  readonly revisions: readonly Revision[];
  readonly facts: EntityFacts;
}

/** The words of a mapping between the columns of its table and our fields; what they would do, and saving them. */
export function MappingEditor({ connectionId, entity, revisions, facts }: MappingEditorProps) {
  const { studio } = useTexts();
  const active = revisions.find(({ isActive }) => isActive);
  const platform = revisions.find(({ revision }) => revision === 0)?.fields ?? {};
  const activeTexts = textsOfFields(active?.fields ?? {});
  const [texts, setTexts] = useState<WordTexts>(activeTexts);
  const [stream, setStream] = useState(active?.stream ?? '');
  const [proposals, setProposals] = useState<readonly Shape<'FieldProposal'>[]>([]);
  const [focused, setFocused] = useState('');
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const table = useSourceTable(connectionId, stream);
  const { fields, problems } = editedFields(texts, platform);
  const enter = (field: string, text: string) => {
    setTexts({ ...texts, [field]: text });
    setRefused({});
  };
  const takeDraft = (draft: Shape<'FieldMappingDraft'>) => {
    setStream(draft.stream);
    setProposals(draft.proposals);
    setTexts({ ...texts, ...textsOfFields(draft.fields) });
    setRefused({});
  };
  const mapping = { fields, parts: active?.parts ?? {}, ...(stream !== '' && { stream }) };
  return (
    <>
      <DraftFromTable {...{ connectionId, entity, stream }} onDraft={takeDraft} />
      <MappingTrials
        {...{ connectionId, entity, mapping }}
        basedOn={newestOf(revisions)}
        activeFields={active?.fields ?? {}}
        canSend={Object.keys(problems).length === 0}
        onRefused={setRefused}
      />
      <div className={styles.board}>
        {table.data ? (
          <SourceColumns
            table={table.data}
            words={Object.values(texts)}
            onChoose={(column) => focused !== '' && enter(focused, column)}
          />
        ) : (
          <section className={styles.columns} aria-label={studio.columns}>
            {table.error ? <ErrorNotice error={table.error} onRetry={table.refetch} /> : <Loading />}
          </section>
        )}
        <section className={styles.words} aria-label={studio.words}>
          <div className={styles.heads} aria-hidden="true">
            <span>{studio.words}</span>
            <span>{studio.fields}</span>
          </div>
          <WordRows
            fields={shownFields(facts.fields, texts)}
            {...{ texts, proposals }}
            active={activeTexts}
            problems={{ ...refused, ...problems }}
            onChange={enter}
            onFocus={setFocused}
          />
        </section>
      </div>
    </>
  );
}

/** Fields that a mapping can fill: those with a word first, then the others. The service derives the technical ones. */
function shownFields(fields: readonly ReadField[], texts: WordTexts): ReadField[] {
  const mappable = fields.filter(({ name }) => name !== 'id' && !name.startsWith('_') && name !== 'customFields');
  return mappable.toSorted((a, b) => Number(texts[a.name] === undefined) - Number(texts[b.name] === undefined));
}

function useSourceTable(connectionId: string, stream: string) {
  const management = useManagement();
  return useQuery({
    // Apart from what changes of records concern: reading it calls the connected system.
    queryKey: ['source-tables', connectionId, stream],
    queryFn: async () => {
      const query = { table: stream };
      const call = management.GET('/connections/{id}/source-tables', { params: { path: { id: connectionId }, query } });
      return (await dataOf<Shape<'SourceTable'>[]>(call))[0] ?? null;
    },
    enabled: stream !== '',
    staleTime: 60_000,
  });
}
