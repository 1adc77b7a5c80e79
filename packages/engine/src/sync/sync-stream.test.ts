import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PulledPage } from '@unified/connectors';
import { expect, test } from 'vitest';
import { pullPages } from './sync-stream.ts';

const noNote = async () => null;

const pages: Record<string, PulledPage> = {
  null: { rows: [{ key: '1', row: {} }], next: 'b' },
  b: { rows: [{ key: '2', row: {} }], next: 'c' },
  c: { rows: [{ key: '3', row: {} }], next: null },
};

test('returns all pages in order, from the position of the pass', async () => {
  const seen: string[] = [];
  for await (const { rows } of pullPages(async (from) => pages[String(from)] as PulledPage, 'b', noNote)) {
    seen.push(...rows.map(({ key }) => key));
  }
  expect(seen).toEqual(['2', '3']);
});

test('requests the next page before the caller is done with this one', async () => {
  const asked: unknown[] = [];
  const pull = async (from: unknown) => {
    asked.push(from);
    return pages[String(from)] as PulledPage;
  };
  const reading = pullPages(pull, null, noNote);
  await reading.next();
  expect(asked).toEqual([null, 'b']);
  await reading.return();
});

test('a failure of a later page is thrown when it is awaited', async () => {
  const pull = async (from: unknown) => {
    if (from === 'b') throw new Error('Down.');
    return pages[String(from)] as PulledPage;
  };
  const reading = pullPages(pull, null, noNote);
  expect(await reading.next()).toMatchObject({ value: { next: 'b' } });
  await expect(reading.next()).rejects.toThrow('Down.');
});

test('the rows of the next page are hashed when the caller is idle, and at the latest when it is done', async () => {
  const rendered: string[] = [];
  const rowOf = (key: string) => ({ key, row: { toJSON: () => rendered.push(key) } });
  const pull = async (from: unknown) => {
    const page = pages[String(from)] as PulledPage;
    return { ...page, rows: page.rows.map(({ key }) => rowOf(key)) };
  };
  const reading = pullPages(pull, null, noNote);
  const first = await reading.next();
  await nextTurn();
  expect(rendered).toEqual(['1']);
  first.value?.whenIdle();
  await nextTurn();
  expect(rendered).toEqual(['1', '2']);
  await reading.next();
  await reading.next();
  expect(rendered).toEqual(['1', '2', '3']);
});
