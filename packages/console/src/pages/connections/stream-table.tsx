import type { Shape } from '../../api/document-schemas.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import type { SyncStatus } from './connection-queries.ts';

type StreamStatus = Shape<'StreamStatus'>;
type SyncProblem = Shape<'SyncProblem'>;

/** The tables of a connected system: their rows, when they were copied, and what could not be read. */
export function StreamTable({ status }: { readonly status: SyncStatus }) {
  const { connections, general } = useTexts();
  const { language } = useLanguage();
  const stateOf = ({ runningSince, error, problems, lastSuccessAt }: StreamStatus) => {
    if (runningSince) return <Badge tone="accent">{general.loading}</Badge>;
    if (error) return <Badge tone="bad">{error}</Badge>;
    if (problems.length > 0) return <Badge tone="warn">{connections.problems(problems.length)}</Badge>;
    return lastSuccessAt ? <Badge tone="good">{connections.healths.ok}</Badge> : <Badge>{connections.never}</Badge>;
  };
  const columns: Column<StreamStatus>[] = [
    { name: connections.stream, cell: ({ stream }) => <code>{stream}</code> },
    { name: connections.entities, cell: ({ entities }) => entities.join(', '), minor: true },
    { name: connections.rows, cell: ({ rowsSeen }) => rowsSeen.toLocaleString(language), numeric: true },
    { name: general.status, cell: stateOf },
    { name: connections.lastSync, cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} />, minor: true },
    { name: connections.nextRun, cell: ({ nextRunAt }) => <Time at={nextRunAt} />, minor: true },
  ];
  const problems = status.data.flatMap((each) => each.problems);
  return (
    <>
      {problems.length > 0 && <ProblemTable problems={problems} />}
      <Card title={connections.streams} flush>
        <Table label={connections.streams} columns={columns} rows={status.data} rowKey={({ stream }) => stream} />
      </Card>
    </>
  );
}

function ProblemTable({ problems }: { readonly problems: readonly SyncProblem[] }) {
  const { connections } = useTexts();
  const columns: Column<SyncProblem>[] = [
    { name: connections.field, cell: ({ entity, field }) => <code>{`${entity}.${field}`}</code> },
    { name: connections.message, cell: ({ message }) => message },
    { name: connections.example, cell: ({ example }) => example && <code>{example}</code>, minor: true },
    { name: connections.count, cell: ({ count }) => count, numeric: true },
  ];
  return (
    <Card title={connections.problemsTitle} flush>
      <Table
        label={connections.problemsTitle}
        columns={columns}
        rows={problems}
        rowKey={({ entity, field, path, reason }) => [entity, field, path, reason].join(' ')}
      />
    </Card>
  );
}
