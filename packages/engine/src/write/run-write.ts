import type { Row } from '@unified/connectors';
import type { StoredWrite } from '@unified/store';
import { finishWrite } from './finish-write.ts';
import type { HeldQueue } from './held-queue.ts';
import { type OpenWrite, type Phase, storedRecord } from './open-write.ts';
import { sendWrite } from './send-write.ts';
import { lastSent, storedSteps } from './steps.ts';

import { verifyOutcome } from './verify-outcome.ts';

const phases = { send: sendWrite, verify: verifyOutcome, finish: finishWrite } as const;

/**
 * Carries out a write until it is settled or has to wait. The saved steps determine where to begin, whether the worker
 * before was killed or the write was postponed.
 */
export async function runWrite(queue: HeldQueue, stored: StoredWrite): Promise<void> {
  const write = await open(queue, stored);
  let phase = phaseOf(write);
  while (phase !== 'stop') phase = await phases[phase](queue, write);
}

async function open({ scope }: HeldQueue, stored: StoredWrite): Promise<OpenWrite> {
  const target = await storedRecord(scope, stored.entity, stored.targetId);
  const targetKey = target ? String(target._idValue) : null;
  return { ...stored, body: isRow(stored.body) ? stored.body : {}, steps: storedSteps(stored.steps), targetKey };
}

function isRow(body: unknown): body is Row {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function phaseOf(write: OpenWrite): Phase {
  const sent = lastSent(write.steps);
  if (!sent || sent.status === 'failed') return 'send';
  return sent.status === 'succeeded' ? 'finish' : 'verify';
}
