import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { beginSending, beginStep, endStep, lastSent, type SendRecord, type Step, triesOf } from './write-steps.ts';

const sent: SendRecord = { at: '2026-11-20T09:00:00.000Z', position: 7, values: { a: 1 }, input: {}, unsupported: [] };
const begun = { entity: 'Vendor', vendorObject: 'rows', vendorId: null };
const create = { kind: 'create', ...begun } as const;

test('steps are numbered in the order in which they started', () => {
  const steps: Step[] = [];
  endStep(beginStep(steps, { kind: 'resolve', ...begun }), 'succeeded');
  endStep(beginSending(steps, create, sent), 'succeeded');
  expect(steps.map(({ n, kind, status }) => [n, kind, status])).toEqual([
    [1, 'resolve', 'succeeded'],
    [2, 'create', 'succeeded'],
  ]);
});

test('repeated verification is one step with many attempts', () => {
  const steps: Step[] = [];
  for (let look = 0; look < 3; look += 1) {
    endStep(beginStep(steps, { kind: 'verify', ...begun }), 'failed', new SystemError('unavailable', 'Down.'));
  }
  expect(steps).toHaveLength(1);
  expect(steps[0]).toMatchObject({ prepared: { tries: 3 }, status: 'failed', error: { message: 'Down.' } });
});

test('reading back again after a failure to store is not a new step either', () => {
  const steps: Step[] = [];
  endStep(beginSending(steps, create, sent), 'succeeded');
  for (let round = 0; round < 2; round += 1) {
    endStep(beginStep(steps, { kind: 'read', ...begun }), 'succeeded');
    endStep(beginStep(steps, { kind: 'store', ...begun }), 'failed', new Error('No room.'));
  }
  expect(steps.map(({ kind, prepared }) => [kind, prepared.tries])).toEqual([
    ['create', 1],
    ['read', 2],
    ['store', 2],
  ]);
});

test('sending again is a separate step, and every attempt counts', () => {
  const steps: Step[] = [];
  for (let round = 0; round < 2; round += 1) {
    endStep(beginStep(steps, { kind: 'resolve', ...begun }), 'succeeded');
    endStep(beginSending(steps, create, { ...sent, position: round }), 'failed');
  }
  endStep(beginStep(steps, { kind: 'resolve', ...begun }), 'failed');
  endStep(beginStep(steps, { kind: 'resolve', ...begun }), 'failed');
  expect(steps.map(({ kind }) => kind)).toEqual(['resolve', 'create', 'resolve', 'create', 'resolve']);
  expect(lastSent(steps)?.prepared.sent.position).toBe(1);
  expect(triesOf(steps)).toBe(4);
});

test('a step whose outcome is unknown has not ended', () => {
  const steps: Step[] = [];
  endStep(beginSending(steps, create, sent), 'unknown', new SystemError('unknown', 'No answer.'));
  expect(steps[0]).toMatchObject({ status: 'unknown', endedAt: null });
});
