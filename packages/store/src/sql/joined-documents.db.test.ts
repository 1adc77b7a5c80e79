import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { PendingRead, sendReads } from './document-reads.ts';
import { JoinedDocuments, ReusedMemory } from './joined-documents.ts';
import { TappedClient } from './row-tap.ts';
import { type ByteBudget, bindConnection, budgetOf, fixedStatement } from './statement.ts';

const { url } = await testDatabase();
const client = new TappedClient({ connectionString: url });
await client.connect();
await client.query({ ...bindConnection, values: [''] });
afterAll(() => client.end());

const connectionId = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
const before = { statement: { name: 'before_documents', text: 'select $1::text' }, values: ['state'] };

interface Options {
  readonly most?: number;
  readonly budget?: ByteBudget;
  readonly values?: readonly string[];
}

/** What a statement returns after another one. */
async function read(text: string, { most = 100, budget, values = [] }: Options = {}) {
  const statement = { statement: fixedStatement(text), values };
  const pending = new PendingRead({ connectionId, before, statement, documents: new JoinedDocuments(most), budget });
  const [result] = await Promise.all([pending.result, sendReads(client, [pending])]);
  return result;
}

/** The documents that it returns. */
const joined = async (text: string, options?: Options) => (await read(text, options)).documents;

const textOf = ({ json }: JoinedDocuments) => (typeof json === 'string' ? json : new TextDecoder().decode(json));
const numbers = (count: number) => `select n::text, n * 2, null from generate_series(1, ${count}) n order by n`;

test('documents are joined by commas, with the other columns of the last one', async () => {
  const found = await joined(numbers(3));
  expect(found).toMatchObject({ json: '1,2,3', count: 3, hasMore: false, lastKeys: ['6', null] });
});

test('additional rows are only detected', async () => {
  expect(await joined(numbers(9), { most: 4 })).toMatchObject({
    json: '1,2,3,4',
    count: 4,
    hasMore: true,
    lastKeys: ['8', null],
  });
});

test('a statement without rows has no documents', async () => {
  expect(await joined(numbers(0))).toMatchObject({ json: '', count: 0, hasMore: false, lastKeys: [] });
});

test.each(['Pump', 'Müller', 'Łódź', '📦'])(
  'letters such as those of %s arrive, in short and in long texts',
  async (name) => {
    for (const times of [1, 70_000]) {
      const text = JSON.stringify({ name: name.repeat(times) });
      const found = await joined('select $1::text from generate_series(1, 3)', { most: 3, values: [text] });
      expect(textOf(found)).toBe([text, text, text].join(','));
    }
  },
);

test('large documents have bytes of their own, which the next statement does not overwrite', async () => {
  const large = (letter: string) => joined(`select repeat('${letter}', 300000)`);
  const [first, second] = [await large('a'), await large('b')];
  expect([first.json, second.json]).toEqual([expect.any(Uint8Array), expect.any(Uint8Array)]);
  expect([textOf(first), textOf(second)]).toEqual(['a'.repeat(300_000), 'b'.repeat(300_000)]);
});

test('the first document may exceed the budget, others end the page', async () => {
  const some = await joined(numbers(9), { budget: budgetOf(80) });
  expect(some.count).toBeGreaterThan(1);
  expect(some.count).toBeLessThan(9);
  expect(some.lastKeys).toEqual([String(2 * some.count), null]);
  const budget = budgetOf(1);
  expect((await joined(numbers(9), { budget })).json).toBe('1');
  expect(budget.isExceeded).toBe(true);
});

test('the value of the preceding statement is text', async () => {
  expect(await read(numbers(2))).toMatchObject({ before: 'state', documents: { json: '1,2' } });
});

test('an error after some rows rejects, and the next statements of the client read theirs', async () => {
  const failing = 'select (100000 / (3000 - n))::text from generate_series(1, 5000) n';
  await expect(joined(failing, { most: 9000 })).rejects.toThrow('division by zero');
  expect((await joined(numbers(2))).json).toBe('1,2');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('memory that grows frees the memory that it had, and keeps what it contained', () => {
  const memory = new ReusedMemory();
  const before = memory.reserve(0, 5);
  before.write('first');
  const larger = memory.reserve(5, 1_000_000);
  expect(larger.toString('utf8', 0, 5)).toBe('first');
  expect(before).toHaveLength(0);
});

test('memory that a failed page needed is freed', () => {
  const memory = new ReusedMemory();
  const usual = memory.reserve(0, 1).length;
  const large = memory.reserve(0, 1_000_000);
  memory.shrink();
  expect(large).toHaveLength(0);
  expect(memory.reserve(0, 1)).toHaveLength(usual);
});
