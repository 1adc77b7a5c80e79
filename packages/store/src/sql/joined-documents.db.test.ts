import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { JoinedDocuments, ReusedMemory } from './joined-documents.ts';
import { TappedClient } from './row-tap.ts';
import { bindConnection, budgetOf, fixedStatement, type Reading, ScopedStatement } from './statement.ts';

const { url } = await testDatabase();
const client = new TappedClient({ connectionString: url });
await client.connect();
await client.query({ ...bindConnection, values: [''] });
afterAll(() => client.end());

const connectionId = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
const send = (text: string, reading: Reading = {}, values: string[] = []) =>
  client.query(new ScopedStatement(connectionId, fixedStatement(text), values, reading)).result;

/** The documents that a statement returns. */
async function joined(text: string, most = 100, reading: Reading = {}, values: string[] = []) {
  const into = new JoinedDocuments(most);
  await send(text, { ...reading, into }, values);
  return into;
}

const textOf = ({ json }: JoinedDocuments) => (typeof json === 'string' ? json : new TextDecoder().decode(json));
const numbers = (count: number) => `select n::text, n * 2, null from generate_series(1, ${count}) n order by n`;

test('documents are joined by commas, with the other columns of the last one', async () => {
  const found = await joined(numbers(3));
  expect(found).toMatchObject({ json: '1,2,3', count: 3, hasMore: false, lastKeys: ['6', null] });
});

test('additional rows are only detected', async () => {
  expect(await joined(numbers(9), 4)).toMatchObject({
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
      const found = await joined('select $1::text from generate_series(1, 3)', 3, {}, [text]);
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
  const some = await joined(numbers(9), 100, { budget: budgetOf(80) });
  expect(some.count).toBeGreaterThan(1);
  expect(some.count).toBeLessThan(9);
  expect(some.lastKeys).toEqual([String(2 * some.count), null]);
  const budget = budgetOf(1);
  expect((await joined(numbers(9), 100, { budget })).json).toBe('1');
  expect(budget.isExceeded).toBe(true);
});

test('the value of the preceding statement is text', async () => {
  const into = new JoinedDocuments(9);
  const statement = { name: 'before_documents', text: 'select $1::text' };
  const result = await send(numbers(2), { into, before: { statement, values: ['state'] } });
  expect([result.before, result.rows, into.json]).toEqual(['state', [], '1,2']);
});

test('an error after some rows rejects, and the next statements of the client read theirs', async () => {
  const failing = 'select (100000 / (3000 - n))::text from generate_series(1, 5000) n';
  await expect(joined(failing, 9000)).rejects.toThrow('division by zero');
  expect((await send('select 1')).rows).toEqual([['1']]);
  expect((await joined(numbers(2))).json).toBe('1,2');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('memory that a failed page needed is freed', () => {
  const memory = new ReusedMemory();
  const usual = memory.reserve(0, 0).length;
  memory.reserve(0, 1_000_000);
  memory.shrink();
  expect(memory.reserve(0, 0)).toHaveLength(usual);
});

test('a late error of an earlier statement does not take the rows of the next one', async () => {
  const [first, second] = ['1', '2'].map((value) => {
    const into = new JoinedDocuments(100);
    const text = fixedStatement('select n::text from generate_series(1, $1::int) n, pg_sleep(0.001) order by n');
    return { into, statement: new ScopedStatement(connectionId, text, [value === '1' ? '1' : '3000'], { into }) };
  });
  await client.query(first?.statement as ScopedStatement).result;
  const running = client.query(second?.statement as ScopedStatement).result;
  first?.statement.handleError(new Error('Query read timeout'));
  await running;
  expect(second?.into).toMatchObject({ count: 100, hasMore: true });
});
