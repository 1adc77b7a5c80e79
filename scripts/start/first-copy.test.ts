import type { StreamStatus } from '@unified/engine';
import { expect, test } from 'vitest';
import { firstCopy } from './first-copy.ts';

const untouched: StreamStatus = {
  ...{ stream: 'lief', entities: ['Vendor'], mode: null, error: null },
  ...{ lastSuccessAt: null, lastFullAt: null, runningSince: null, nextRunAt: null, rowsSeen: 0, pendingRelations: 0 },
  ...{ problems: [], columnChanges: [] },
};
const read = { ...untouched, runningSince: '2026-11-20T09:30:00Z', rowsSeen: 2000, pendingRelations: 300 };
const ended = { ...untouched, lastSuccessAt: '2026-11-20T09:30:00Z', rowsSeen: 2000 };
const failed = { ...untouched, stream: 'kunde', error: 'permission denied' };

test('reports what is still being copied, until the relations are filled in', () => {
  expect(firstCopy('Sandbox', [read, untouched], 5)).toEqual({
    isComplete: false,
    text: 'Sandbox: copying, table 1 of 2, 2,000 rows so far, 300 records waiting for relations',
  });
  expect(firstCopy('Sandbox', [read, read], 5).isComplete).toBe(false);
});

test('reports when everything is copied', () => {
  expect(firstCopy('Sandbox', [ended, ended], 92.6)).toEqual({
    isComplete: true,
    text: 'Sandbox: everything is copied, 4,000 rows after 93 s',
  });
});

test('reports what could not be copied, with the message of the connected system', () => {
  expect(firstCopy('ERP', [ended, failed], 9)).toEqual({
    isComplete: true,
    text: 'ERP: 1 table of 2 could not be copied, such as kunde: permission denied',
  });
});
