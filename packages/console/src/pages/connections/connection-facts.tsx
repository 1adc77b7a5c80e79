import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import type { SyncStatus } from './connection-queries.ts';
import { syncSummary } from './sync-summary.ts';

/** How much was copied, when the next run is, and how many calls the connected system allows. */
export function ConnectionFacts({ status }: { readonly status: SyncStatus }) {
  const { connections } = useTexts();
  const { language } = useLanguage();
  const { rows, streams, copied, problems, nextRunAt } = syncSummary(status);
  const { quota } = status;
  const count = (value: number) => value.toLocaleString(language);
  const facts: (readonly [string, ReactNode])[] = [
    [connections.rows, count(rows)],
    [connections.streams, connections.ofAll(copied, streams)],
    [connections.problemCount, count(problems)],
    [connections.nextRun, <Time key="next" at={nextRunAt} />],
  ];
  if (quota) facts.push([connections.quota, connections.ofAll(quota.callsInProgress, quota.callsAtOnce)]);
  if (quota?.pausedUntil) facts.push([connections.pausedUntil, <Time key="paused" at={quota.pausedUntil} />]);
  return <Facts facts={facts} />;
}
