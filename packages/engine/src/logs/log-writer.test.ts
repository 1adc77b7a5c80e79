import { ServiceError } from '@unified/contract';
import type { LoggedRequest } from '@unified/store';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LogWriter, type WriterLimits } from './log-writer.ts';

const request = (requestId: string, applicationId = requestId) => ({ requestId, applicationId }) as LoggedRequest;

/** A writer whose batches are stored only when the test allows it. */
function writer(limits: Partial<WriterLimits>) {
  const lines: { readonly msg: string; readonly dropped?: number }[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const stored: string[][] = [];
  const held: PromiseWithResolvers<void>[] = [];
  const insert = async (rows: readonly LoggedRequest[]) => {
    const turn = Promise.withResolvers<void>();
    held.push(turn);
    await turn.promise;
    stored.push(rows.map(({ requestId }) => requestId));
  };
  // The timer never fires. A full batch, or closing the server, stores the requests.
  return { lines, stored, held, log: new LogWriter('request log', insert, logger, { everyMs: 1_000_000, ...limits }) };
}

test('requests are stored when a batch is full, and the rest when the server stops', async () => {
  const { log, stored, held } = writer({ batch: 2 });
  for (const id of ['a', 'b', 'c']) log.add(request(id));
  expect(held).toHaveLength(1);
  const closed = log.close();
  held[0]?.resolve();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.resolve();
  await closed;
  expect(stored).toEqual([['a', 'b'], ['c']]);
});

test('requests beyond the limit are dropped, and their number is reported', async () => {
  const { log, stored, held, lines } = writer({ batch: 2, most: 3 });
  for (const id of ['a', 'b', 'c', 'd', 'e']) log.add(request(id));
  const closed = log.close();
  held[0]?.resolve();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.resolve();
  await closed;
  expect(stored).toEqual([['a', 'b'], ['c']]);
  expect(lines).toMatchObject([{ msg: 'request log is incomplete: entries were dropped', dropped: 2 }]);
});

test('one application uses at most half of the places, which are free again once its requests are stored', async () => {
  const { log, stored, held } = writer({ batch: 2, most: 4 });
  for (const id of ['a', 'b', 'c']) log.add(request(id, 'loud'));
  log.add(request('d', 'quiet'));
  log.add(request('e', 'quiet'));
  held[0]?.resolve();
  await expect.poll(() => held.length).toBe(2);
  for (const id of ['f', 'g', 'h']) log.add(request(id, 'loud'));
  const closed = log.close();
  held[1]?.resolve();
  await expect.poll(() => held.length).toBe(3);
  held[2]?.resolve();
  await closed;
  expect(stored).toEqual([
    ['a', 'b'],
    ['d', 'e'],
    ['f', 'g'],
  ]);
});

test('requests that arrive while a batch is stored wait for others, and are stored by the timer', async () => {
  const { log, stored, held } = writer({ batch: 2, everyMs: 1 });
  for (const id of ['a', 'b', 'c']) log.add(request(id));
  held[0]?.resolve();
  await expect.poll(() => held.length).toBe(2);
  expect(stored).toEqual([['a', 'b']]);
  log.add(request('d'));
  held[1]?.resolve();
  await expect.poll(() => held.length).toBe(3);
  held[2]?.resolve();
  await log.close();
  expect(stored).toEqual([['a', 'b'], ['c'], ['d']]);
});

test('a single request that arrives while a batch is stored is not stored immediately', async () => {
  const { log, stored, held } = writer({ batch: 2 });
  for (const id of ['a', 'b', 'c']) log.add(request(id));
  held[0]?.resolve();
  await expect.poll(() => stored.length).toBe(1);
  await new Promise(setImmediate);
  expect(held).toHaveLength(1);
  const closed = log.close();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.resolve();
  await closed;
  expect(stored).toEqual([['a', 'b'], ['c']]);
});

test('requests wait while the database is unavailable; those that it refuses are dropped', async () => {
  const { log, stored, held, lines } = writer({ batch: 1 });
  log.add(request('a'));
  held[0]?.reject(new ServiceError('SERVICE_UNAVAILABLE', 'The database is not reachable.'));
  await expect.poll(() => lines.length).toBe(1);
  const closed = log.close();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.resolve();
  await closed;
  expect(stored).toEqual([['a']]);
  const other = writer({ batch: 1 });
  other.log.add(request('b'));
  other.held[0]?.reject(new Error('The value is refused.'));
  await other.log.close();
  expect(other.lines.at(-1)).toMatchObject({ dropped: 1 });
});
