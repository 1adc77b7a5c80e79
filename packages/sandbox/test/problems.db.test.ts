import type { Stream, ValueProblem } from '@unified/connectors';
import { missingColumns } from '@unified/connectors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 300_000);
afterAll(() => sandbox.stop());

/** The mappings that read a stream. */
function mappingsOf({ name }: Stream) {
  return Object.values(sandbox.platform.mappings).filter(({ stream }) => stream === name);
}

/** All rows of a stream, page by page. */
async function* pages(stream: Stream) {
  for (let from: Parameters<Sandbox['driver']['pull']>[0]['from'] = null; ; ) {
    const { rows, next } = await sandbox.driver.pull({ stream, from, limit: 2_000 });
    yield rows;
    if (next === null) return;
    from = next;
  }
}

test('every value of the sandbox is in its record', { timeout: 300_000 }, async () => {
  const problems = new Set<string>();
  for (const stream of sandbox.platform.streams) {
    for await (const rows of pages(stream)) {
      for (const mapping of mappingsOf(stream)) {
        const found: ValueProblem[] = [];
        for (const row of rows) mapping.read(row, found);
        for (const { field, message, example } of found)
          problems.add(`${mapping.entity}.${field}: ${message} ${example}`);
      }
    }
  }
  expect([...problems].slice(0, 50)).toEqual([]);
});

test('every path of its mappings leads to a column', { timeout: 300_000 }, async () => {
  for (const stream of sandbox.platform.streams) {
    const columns = await sandbox.driver.discover.columns(stream);
    const tables = await sandbox.driver.discover.written?.(stream);
    const missing = mappingsOf(stream).flatMap((mapping) => missingColumns(mapping, columns ?? [], tables));
    expect(missing).toEqual([]);
  }
});
