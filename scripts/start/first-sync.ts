import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '@unified/engine';
import type { Scope } from '@unified/store';
import { step } from './progress.ts';

const LOOK_EVERY = 250;

/** Has a new connection synchronised, says what was read, and settles when the stream `enough` is there. */
export async function firstSync(engine: Engine, scope: Scope, enough: string): Promise<void> {
  if (await isRead(engine, scope, enough)) return;
  step('copying the records of the connected system');
  await engine.requestSync(scope.connectionId, 'full');
  const told = new Set<string>();
  while (!(await isRead(engine, scope, enough, told))) await pause(LOOK_EVERY);
}

/** Whether the stream was read once. Says each other stream that was, and what went wrong. */
async function isRead(engine: Engine, scope: Scope, enough: string, told?: Set<string>): Promise<boolean> {
  const streams = await engine.syncStatus(scope);
  for (const { stream, lastSuccessAt, rowsSeen, error } of streams) {
    if (error) throw new Error(`${stream} could not be read: ${error}`);
    if (lastSuccessAt === null || !told || told.has(stream)) continue;
    told.add(stream);
    step(`  ${stream}: ${rowsSeen} rows`);
  }
  return streams.some(({ stream, lastSuccessAt }) => stream === enough && lastSuccessAt !== null);
}
