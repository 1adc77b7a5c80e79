import { type Entity, entities } from '@unified/contract';
import { compileQuery, queryTables } from '@unified/store';
import pg from 'pg';
import { type Bench, median, type Part, percentile, type Result } from './budget.ts';
import { startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { multiplyVendors } from './multiply-vendors.ts';

const RECORDS = 1_000_000;
const ROUNDS = 9;
const COMPILATIONS = 200;

/** What a client asks, and the same SQL by hand for the tables; `$1` is the connection. */
interface Question {
  readonly name: string;
  readonly statement: string;
  readonly byHand: string;
}

const QUESTIONS: readonly Question[] = [
  {
    name: 'groups by a related code',
    statement:
      'select currency.code as currency, count(*) as vendors, avg(leadTimeDays) as days from vendors group by 1 order by 1',
    byHand: `select c.code as currency, count(*) as vendors, avg(v."leadTimeDays") as days from data.vendors v
               left join data.currencies c on c.connection_id = v.connection_id and c.id = v.currency and c."_deletedAt" is null
              where v.connection_id = $1 and v."_deletedAt" is null group by 1 order by 1`,
  },
  {
    name: 'searches a text',
    statement: `select count(*) as vendors from vendors where name ilike '%77 industrial%'`,
    byHand: `select count(*) as vendors from data.vendors
              where connection_id = $1 and "_deletedAt" is null and name ilike '%77 industrial%'`,
  },
  {
    name: 'ranks in groups',
    statement: `select code, leadTimeDays from (select code, leadTimeDays, rank() over (partition by leadTimeDays order by code) as place
                 from vendors) ranked where place = 1 order by code`,
    byHand: `select code, "leadTimeDays" from (select code, "leadTimeDays", rank() over (partition by "leadTimeDays" order by code) as place
               from data.vendors where connection_id = $1 and "_deletedAt" is null) ranked where place = 1 order by code`,
  },
];

/** Queries of clients, which run with one core, against the same SQL by hand with one core. */
export const mql: Part = {
  name: 'mql',
  about:
    'queries of clients on 1 M records against the same SQL by hand, and the time to parse, check and compile them',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_mql');
    const { connectionId, token } = await listFixture(databaseUrl, 1000);
    bench.say(`copying records until the connection has ${RECORDS}`);
    await multiplyVendors(databaseUrl, connectionId, RECORDS / 1000);
    const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '500' });
    const byHand = new pg.Client({ connectionString: databaseUrl });
    await byHand.connect();
    try {
      await byHand.query('set max_parallel_workers_per_gather = 0');
      const results: Result[] = [];
      for (const question of QUESTIONS) {
        const ask = () => rowsOf(server.url, token, question.statement);
        const read = async () => (await byHand.query(question.byHand, [connectionId])).rowCount ?? 0;
        results.push(await compare(bench, question.name, { ask, read }));
      }
      return [...results, await compilation(bench)];
    } finally {
      await byHand.end();
      await server.stop();
    }
  },
};

/** The number of rows of a result. */
async function rowsOf(url: string, token: string, statement: string): Promise<number> {
  const response = await fetch(`${url}/v4/query`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ statement }),
  });
  if (!response.ok) throw new Error(`${statement}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: { rows: unknown[] } }).data.rows.length;
}

type Ways = Readonly<Record<'ask' | 'read', () => Promise<number>>>;

async function compare(bench: Bench, name: string, { ask, read }: Ways): Promise<Result> {
  const taken = { ask: [] as number[], read: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const [asked, found] = [await timed(ask), await timed(read)];
    if (asked.value !== found.value) throw new Error(`${name}: ${asked.value} rows, by hand ${found.value}.`);
    if (round < 0) continue;
    taken.ask.push(asked.ms);
    taken.read.push(found.ms);
  }
  const [asked, found] = [median(taken.ask), median(taken.read)];
  bench.say(`${name}: ${asked.toFixed(0)} ms, by hand ${found.toFixed(0)} ms`);
  return {
    name: `query of 1 M records that ${name}, against SQL by hand`,
    value: median(taken.ask.map((ms, round) => ms / (taken.read[round] ?? Number.NaN))),
    unit: 'times',
    budget: { atMost: 1.3 },
    figures: { 'ms of the query': asked, 'ms by hand': found },
  };
}

async function timed(work: () => Promise<number>) {
  const began = performance.now();
  const value = await work();
  return { value, ms: performance.now() - began };
}

/** Milliseconds from the text of a statement to the SQL that runs, which 99 of 100 statements do not exceed. */
async function compilation(bench: Bench): Promise<Result> {
  const all: readonly Entity[] = Object.values(entities);
  const tables = queryTables(all.map((entity) => ({ entity, customFields: [] })));
  const taken: number[] = [];
  for (let turn = -20; turn < COMPILATIONS; turn += 1) {
    for (const { statement } of QUESTIONS) {
      const began = performance.now();
      await compileQuery({ statement, parameters: new Map() }, tables);
      if (turn >= 0) taken.push(performance.now() - began);
    }
  }
  const [usual, value] = [median(taken), percentile(taken, 0.99)];
  bench.say(`parsed, checked and compiled in ${usual.toFixed(2)} ms, 99 of 100 within ${value.toFixed(2)} ms`);
  const figures = { 'median ms': usual };
  return { name: 'query parsed, checked and compiled, 99 of 100', value, unit: 'ms', budget: { atMost: 5 }, figures };
}
