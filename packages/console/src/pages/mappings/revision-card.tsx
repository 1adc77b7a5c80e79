import { useMutation, useQueryClient } from '@tanstack/react-query';
import { called, dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/code.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { ChangedValues } from '../approvals/changed-values.tsx';
import { valueChanges } from '../approvals/value-changes.ts';
import { isDeriving, type Revision } from './mapping-queries.ts';
import { PreviewResult } from './preview-result.tsx';
import styles from './revision-card.module.css';

const EXAMPLES = 20;

interface RevisionCardProps {
  readonly connectionId: string;
  readonly entity: string;
  readonly revision: Revision;
  readonly active: Revision;
}

/** A revision: who made it and why, what differs from the active one, a preview, and a button to activate it. */
export function RevisionCard({ connectionId: id, entity, revision, active }: RevisionCardProps) {
  const { mappings } = useTexts();
  const { language } = useLanguage();
  const management = useManagement();
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const { isActive, revision: number, note, createdAt, createdBy, problems, derivation } = revision;
  const path = { id, entity: entity as 'Vendor' };
  const preview = useMutation({
    mutationFn: () => {
      const { fields, stream, parts } = revision;
      const body = { fields, parts, limit: EXAMPLES, ...(stream !== null && { stream }) };
      const call = management.POST('/connections/{id}/field-mappings/{entity}/actions/preview', {
        params: { path },
        body: body as never,
      });
      return dataOf<Shape<'FieldMappingPreview'>>(call);
    },
  });
  const activate = useMutation({
    mutationFn: async () =>
      called(
        management.POST('/connections/{id}/field-mappings/{entity}/revisions/{revision}/actions/activate', {
          params: { path: { ...path, revision: number } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['connection', id] }),
  });
  const failure = preview.error ?? activate.error;
  const count = (value: number) => value.toLocaleString(language);
  return (
    <Card
      title={number === 0 ? mappings.original : mappings.revision(number)}
      actions={isActive ? <Badge tone="good">{mappings.active}</Badge> : undefined}
    >
      <div className={styles.body}>
        <p className="quiet">
          {[note, createdBy].filter(Boolean).join(' · ')} <Time at={createdAt} />
        </p>
        {derivation && isDeriving(revision) && (
          <Notice>
            <progress value={derivation.rows} max={derivation.totalRows} aria-label={mappings.deriving} />{' '}
            {mappings.derived(count(derivation.rows), count(derivation.totalRows))}
          </Notice>
        )}
        {problems.map(({ path: place, message }) => (
          <Notice key={place} tone="bad">
            <code>{place}</code>: {message}
          </Notice>
        ))}
        {!isActive && (
          <>
            <h3>{mappings.difference}</h3>
            <ChangedValues changes={valueChanges(active.fields, revision.fields)} />
          </>
        )}
        <details>
          <summary>{mappings.all}</summary>
          <Code text={JSON.stringify(revision.fields, null, 2)} label={mappings.all} />
        </details>
        {failure && <ErrorNotice error={failure} />}
        {preview.data && <PreviewResult preview={preview.data} />}
        {!isActive && (
          <div className={styles.actions}>
            <Button busy={preview.isPending} onClick={() => preview.mutate()}>
              {mappings.preview}
            </Button>
            {mayChange && (
              <Button look="main" busy={activate.isPending} onClick={() => activate.mutate()}>
                {mappings.activate}
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}
