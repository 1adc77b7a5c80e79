import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { called, dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ChangedValues } from '../approvals/changed-values.tsx';
import { valueChanges } from '../approvals/value-changes.ts';
import { refusedFields } from './mapping-edit.ts';
import { PreviewExamples } from './preview-examples.tsx';
import { PreviewResult } from './preview-result.tsx';
import styles from './studio.module.css';
import { TestedRows } from './tested-rows.tsx';

const EXAMPLES = 20;
const ROWS = 5;

type Fields = Readonly<Record<string, unknown>>;

interface MappingTrialsProps {
  readonly connectionId: string;
  readonly entity: string;
  /** What is sent: the edited words, and the parts of the active revision. */
  readonly mapping: { readonly fields: Fields; readonly parts: object; readonly stream?: string };
  readonly basedOn: number;
  readonly activeFields: Fields;
  /** False while a text is not a word. */
  readonly canSend: boolean;
  readonly onRefused: (problems: Readonly<Record<string, string>>) => void;
}

/** What an edited mapping would do: rows of the connected system, changes of the stored records; then saving and activating it. */
export function MappingTrials({ connectionId, entity, mapping, ...more }: MappingTrialsProps) {
  const { basedOn, activeFields, canSend, onRefused } = more;
  const { studio, mappings } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const [note, setNote] = useState('');
  const params = { path: { id: connectionId, entity: entity as 'Vendor' } };
  const onError = (error: Error) => onRefused(refusedFields(error));
  const onMutate = () => onRefused({});
  const test = useMutation({
    mutationFn: () => {
      const body = { ...mapping, limit: ROWS } as never;
      const address = '/connections/{id}/field-mappings/{entity}/actions/test-fetch';
      return dataOf<Shape<'FieldMappingTrial'>>(management.POST(address, { params, body }));
    },
    ...{ onError, onMutate },
  });
  const preview = useMutation({
    mutationFn: () => {
      const body = { ...mapping, limit: EXAMPLES } as never;
      const address = '/connections/{id}/field-mappings/{entity}/actions/preview';
      return dataOf<Shape<'FieldMappingPreview'>>(management.POST(address, { params, body }));
    },
    ...{ onError, onMutate },
  });
  const save = useMutation({
    mutationFn: async (activate: boolean) => {
      const body = { ...mapping, basedOn, activate, ...(note !== '' && { note }) } as never;
      return called(management.POST('/connections/{id}/field-mappings/{entity}', { params, body }));
    },
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['connection', connectionId] });
      return navigate({ to: '/connections/$connectionId/mappings', params: { connectionId }, search: { entity } });
    },
    ...{ onError, onMutate },
  });
  const changes = valueChanges(activeFields, { ...activeFields, ...mapping.fields });
  const failure = save.error ?? preview.error ?? test.error;
  const isUnchanged = changes.length === 0;
  return (
    <Card title={mappings.difference}>
      <div className={styles.results}>
        <ChangedValues changes={changes} />
        {failure && <ErrorNotice error={failure} />}
        {test.data && <TestedRows rows={test.data.rows} />}
        {preview.data && (
          <>
            <PreviewResult preview={preview.data} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, so the keyboard must reach it. */}
            <section tabIndex={0} aria-label={studio.examples} className={styles.examples}>
              <PreviewExamples examples={preview.data.examples} />
            </section>
          </>
        )}
        <div className={styles.bar}>
          <div className={styles.filters}>
            <Button busy={test.isPending} disabled={!canSend} onClick={() => test.mutate()}>
              {studio.test(ROWS)}
            </Button>
            <Button busy={preview.isPending} disabled={!canSend || isUnchanged} onClick={() => preview.mutate()}>
              {mappings.preview}
            </Button>
          </div>
          {mayChange && (
            <div className={styles.actions}>
              <TextField
                label={studio.note}
                value={note}
                maxLength={500}
                onChange={({ currentTarget }) => setNote(currentTarget.value)}
              />
              <Button busy={save.isPending} disabled={!canSend || isUnchanged} onClick={() => save.mutate(false)}>
                {studio.save}
              </Button>
              <Button
                look="main"
                busy={save.isPending}
                disabled={!canSend || isUnchanged}
                onClick={() => save.mutate(true)}
              >
                {studio.activate}
              </Button>
            </div>
          )}
        </div>
      </div>
    </Card>
  );
}
