import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '@unified/connectors';
import type { Engine } from '@unified/engine';
import type { Scope } from '@unified/store';
import { step } from './progress.ts';

const LOOK_EVERY = 200;

/** Waits until the records of an entity were copied once, and says what else was on the way. A worker does the work. */
export async function firstSync(engine: Engine, scope: Scope, platform: Platform, entity: string): Promise<void> {
  const wanted = platform.mappings[entity]?.stream;
  const told = new Set<string>();
  for (let look = 0; ; look += 1) {
    const streams = await engine.syncStatus(scope);
    const failed = streams.find(({ error }) => error !== null);
    if (failed) step(`  ${failed.stream} could not be read: ${failed.error}`);
    const read = streams.filter(({ lastSuccessAt }) => lastSuccessAt !== null);
    if (failed || read.some(({ stream }) => stream === wanted)) return;
    if (look === 0) step('copying the records of the connected system');
    for (const { stream, rowsSeen } of read.filter((each) => !told.has(each.stream))) {
      told.add(stream);
      step(`  ${namesOf(platform, stream)}: ${rowsSeen}`);
    }
    await pause(LOOK_EVERY);
  }
}

/** What the rows of a stream are, in our words. */
function namesOf(platform: Platform, stream: string): string {
  const entities = Object.values(platform.mappings).filter((mapping) => mapping.stream === stream);
  return entities.map(({ entity }) => entity).join(', ') || stream;
}
