import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { WriteRecord } from '@unified/sdk';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/code.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useMayChange } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { StepList } from './step-list.tsx';
import { SystemCalls } from './system-calls.tsx';
import { WriteActions } from './write-actions.tsx';
import { WriteBadge } from './write-badge.tsx';
import { writeQuery } from './write-queries.ts';

/** One write: its steps with times, what references became, what came back, warnings, and what can be done. */
export function WritePage() {
  const { writes } = useTexts();
  const { connectionId, writeId } = useParams({ from: '/shell/connections/$connectionId/writes/$writeId' });
  const mayChange = useMayChange();
  const { data: write, error, refetch } = useQuery(writeQuery(connectionId, writeId));
  if (!write) {
    return <Page title={writes.title}>{error ? <ErrorNotice error={error} onRetry={refetch} /> : <Loading />}</Page>;
  }
  return (
    <Page
      title={write.operation}
      lead={
        <>
          <WriteBadge status={write.status} /> <Time at={write.createdAt} /> · <Target {...{ connectionId, write }} />
        </>
      }
      actions={mayChange && <WriteActions {...{ connectionId, write }} />}
    >
      {write.status === 'unknown' && (
        <Notice tone="warn" title={writes.unknownTitle}>
          <p>{writes.unknownLead}</p>
        </Notice>
      )}
      {write.nextAttemptAt && (
        <p>
          {writes.nextAttempt}: <Time at={write.nextAttemptAt} />
        </p>
      )}
      {write.error && (
        <Notice tone="bad" title={write.error.message}>
          <code>{write.error.code}</code>
        </Notice>
      )}
      {write.warnings.length > 0 && (
        <Notice tone="warn" title={writes.warnings}>
          {write.warnings.map(({ field, message }) => (
            <p key={field}>
              <code>{field}</code>: {message}
            </p>
          ))}
        </Notice>
      )}
      <Card title={writes.steps}>
        <StepList steps={write.steps} />
      </Card>
      <SystemCalls {...{ connectionId, writeId }} settled={write.finishedAt} />
      <References write={write} />
      {write.leftovers.length > 0 && (
        <Card title={writes.leftovers}>
          <Code text={JSON.stringify(write.leftovers, null, 2)} label={writes.leftovers} />
        </Card>
      )}
      {write.result && (
        <Card title={writes.result}>
          <Code text={JSON.stringify(write.result, null, 2)} label={writes.result} />
        </Card>
      )}
    </Page>
  );
}

/** The written record as a link. */
function Target({ connectionId, write }: { readonly connectionId: string; readonly write: WriteRecord }) {
  const { entity, targetId } = write;
  if (!targetId || !catalogEntity(entity)) return <>{entity}</>;
  return (
    <Link
      to="/connections/$connectionId/records/$entity/$recordId"
      params={{ connectionId, entity, recordId: targetId }}
      search={{}}
    >
      {entity}
    </Link>
  );
}

function References({ write: { resolvedRefs } }: { readonly write: WriteRecord }) {
  const { writes } = useTexts();
  if (resolvedRefs.length === 0) return null;
  return (
    <Card title={writes.references}>
      <ul>
        {resolvedRefs.map(({ field, given, matchedOn, link }) => (
          <li key={field}>
            <code>
              {field}: {JSON.stringify(given)}
            </code>{' '}
            → {link._displayValue} <span className="quiet">({matchedOn})</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
