import { setTimeout as pause } from 'node:timers/promises';
import type { Entity } from '@unified/contract';
import type { Engine } from '@unified/engine';
import { page, type Scope } from '@unified/store';
import { timed } from './progress.ts';

const LOOK_EVERY = 200;

/** Waits until a worker has copied the first records of a list, or none are expected. */
export async function firstPage(engine: Engine, scope: Scope, entity: Entity): Promise<void> {
  await timed(`copying the first page of ${entity.collection}`, async () => {
    while (!(await hasFirstPage(scope, entity)) && (await isExpected(engine, scope))) await pause(LOOK_EVERY);
  });
}

/** Whether any record of an entity has been copied. */
export async function hasFirstPage(scope: Scope, entity: Entity): Promise<boolean> {
  return (await page(scope, entity, { conditions: [], sort: [], limit: 1 })).count > 0;
}

async function isExpected(engine: Engine, scope: Scope): Promise<boolean> {
  const streams = await engine.syncStatus(scope);
  return streams.every(({ error }) => error === null) && streams.some(({ lastSuccessAt }) => lastSuccessAt === null);
}
