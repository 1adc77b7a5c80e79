import { expect, it } from 'vitest';
import type { SyncStatus } from './connection-queries.ts';
import { syncSummary } from './sync-summary.ts';

const stream = {
  ...{ stream: 'lief', entities: ['Vendor'], lastSuccessAt: '2026-11-20T09:30:00Z', lastFullAt: null },
  ...{ runningSince: null, mode: null, error: null, nextRunAt: '2026-11-20T10:00:00Z', rowsSeen: 10 },
  ...{ pendingRelations: 0, problems: [], columnChanges: [] },
};

it('sums up the streams, and names the one that runs', () => {
  const running = {
    ...stream,
    stream: 'auftrag',
    lastSuccessAt: null,
    runningSince: '2026-11-20T09:40:00Z',
    rowsSeen: 7,
  };
  const status: SyncStatus = { data: [stream, { ...running, nextRunAt: '2026-11-20T09:45:00Z' }] };
  expect(syncSummary(status)).toEqual({
    ...{ streams: 2, copied: 1, rows: 17, problems: 0, nextRunAt: '2026-11-20T09:45:00Z' },
    running: { stream: 'auftrag', rows: 7 },
  });
});

it('has no next run if none is planned', () => {
  expect(syncSummary({ data: [{ ...stream, nextRunAt: null }] }).nextRunAt).toBeUndefined();
});
