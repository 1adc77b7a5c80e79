import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { connectionClient } from '../../api/service-clients.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { chartOf } from './chart-points.ts';
import styles from './query-page.module.css';
import { QueryTable } from './query-table.tsx';
import { ResultChart } from './result-chart.tsx';
import { StatementInput } from './statement-input.tsx';

type QueryResult = Shape<'QueryResult'>;

const EXAMPLE = 'select code, name, currency.code as currency\nfrom vendors\nwhere isActive\norder by name\nlimit 50';

/** A statement in MQL, and its rows. The address contains the statement, so that it can be shared. */
export function QueryPage() {
  const { query: texts, general } = useTexts();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId/query' });
  const { statement: given } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [statement, setStatement] = useState(given ?? EXAMPLE);
  const run = useMutation({
    mutationFn: async (cursor: string | undefined): Promise<QueryResult> => {
      const body = { statement, ...(cursor !== undefined && { cursor }) };
      const page = await dataOf<QueryResult>(connectionClient(connectionId).POST('/query', { body } as never));
      const before = cursor === undefined ? [] : (run.data?.rows ?? []);
      return { ...page, rows: [...before, ...page.rows] };
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    navigate({ to: '.', search: { statement }, replace: true });
    run.mutate(undefined);
  };
  const { data } = run;
  const chart = data && chartOf(data);
  return (
    <Page title={texts.title} lead={texts.lead}>
      <form className={styles.form} onSubmit={submit}>
        <StatementInput value={statement} onChange={setStatement} onRun={submit} />
        <Button type="submit" look="main" busy={run.isPending}>
          ▸ {texts.run}
        </Button>
      </form>
      {run.error && <ErrorNotice error={run.error} />}
      {chart && (
        <Card title={texts.chart}>
          <ResultChart chart={chart} label={data.columns[1]?.name ?? texts.chart} />
        </Card>
      )}
      {data && (
        <Card title={texts.rows(data.rows.length)} flush>
          <QueryTable result={data} label={texts.title} />
        </Card>
      )}
      {data?.nextCursor && (
        <Button busy={run.isPending} onClick={() => run.mutate(data.nextCursor ?? undefined)}>
          {general.more}
        </Button>
      )}
    </Page>
  );
}
