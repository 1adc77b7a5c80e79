import { useMutation } from '@tanstack/react-query';
import { called } from '../../api/called.ts';
import { recordCalls } from '../../api/record-calls.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './first-calls.module.css';

/** What a call does: list a collection, or run a statement. */
type Run = { readonly collection: string; readonly sort: string | undefined } | { readonly statement: string };

interface RunnableCallProps {
  readonly connectionId: string;
  readonly title: string;
  readonly code: string;
  readonly run: Run;
}

/** A call as code, a button that makes it, and its response. */
export function RunnableCall({ connectionId, title, code, run }: RunnableCallProps) {
  const { start } = useTexts();
  const call = useMutation({
    mutationFn: async () => {
      const began = performance.now();
      const body = await resultOf(connectionId, run);
      return { body, milliseconds: Math.round(performance.now() - began) };
    },
  });
  return (
    <section className={styles.call}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <Button small busy={call.isPending} onClick={() => call.mutate()} aria-label={`${start.run}: ${title}`}>
          ▸ {start.run}
        </Button>
      </div>
      <Code text={code} label={title} />
      {call.error && <ErrorNotice error={call.error} />}
      {call.data && (
        <>
          <p className="quiet" aria-live="polite">
            {start.result} · {start.milliseconds(call.data.milliseconds)}
          </p>
          <Code text={JSON.stringify(call.data.body, null, 2)} label={start.result} />
        </>
      )}
    </section>
  );
}

async function resultOf(connectionId: string, run: Run): Promise<unknown> {
  const client = connectionClient(connectionId);
  if ('statement' in run) {
    const body = { statement: run.statement };
    return called(client.POST('/query', { body } as never));
  }
  const { collection, sort } = run;
  return recordCalls(client, collection).list({ per_page: 3, ...(sort !== undefined && { sort }) });
}
