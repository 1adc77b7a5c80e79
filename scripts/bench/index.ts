// `npm run bench`: the budgets of the architecture, each as a ratio to its baseline in the same run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@unified/store';
import { access } from './access.ts';
import { adminDatabase } from './admin-database.ts';
import { agents } from './agents.ts';
import { type Bench, isWithin, type Part, type Result } from './budget.ts';
import { client } from './client.ts';
import { connections } from './connections.ts';
import { derive } from './derive.ts';
import { feed } from './feed.ts';
import { identity } from './identity.ts';
import { lists } from './lists.ts';
import { loggedLists } from './logged-lists.ts';
import { mql } from './mql.ts';
import { neighbor } from './neighbor.ts';
import { related } from './related.ts';
import { replicatedLists } from './replicated-lists.ts';
import { scale } from './scale.ts';
import { slowReaders } from './slow-readers.ts';
import { startup } from './startup.ts';
import { sync } from './sync.ts';
import { webhooks } from './webhooks.ts';
import { writes } from './writes.ts';

const parts: readonly Part[] = [
  lists,
  loggedLists,
  replicatedLists,
  access,
  identity,
  related,
  scale,
  neighbor,
  connections,
  mql,
  agents,
  sync,
  derive,
  writes,
  webhooks,
  feed,
  startup,
  slowReaders,
  client,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    seconds: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '1' },
    rows: { type: 'string', default: '100000' },
    records: { type: 'string', default: '10000000' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  const lines = parts.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`);
  console.log(`Measures the budgets.

  npm run bench -- [part …] [--json] [--seconds N] [--minutes N] [--rows N] [--records N]

${lines.join('\n')}

  --json         results as JSON on standard output
  --seconds N    length of one round of load (2)
  --minutes N    length of the attack by slow readers (1)
  --rows N       records that are derived again (100000)
  --records N    records of the large connection of 'neighbor' (10000000), which is measured only if it is named`);
  process.exit(0);
}

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const database = await startEmbedded({ dataDir });
const bench: Bench = {
  dataDir,
  databaseUrl: await adminDatabase(dataDir, 'bench'),
  databaseNamed: (name) => adminDatabase(dataDir, name),
  seconds: Number(values.seconds),
  minutes: Number(values.minutes),
  rows: Number(values.rows),
  records: Number(values.records),
  say: (text) => process.stderr.write(`    ${text}\n`),
};
try {
  const results: Result[] = [];
  for (const part of parts.filter(isWanted)) {
    process.stderr.write(`▸ ${part.name}: ${part.about}\n`);
    results.push(...(await part.measure(bench)));
  }
  console.log(values.json ? JSON.stringify({ results: results.map(withVerdict) }, null, 2) : table(results));
  process.exitCode = results.every(isWithin) ? 0 : 1;
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function isWanted({ name, isOnRequest }: Part): boolean {
  return positionals.length === 0 ? !isOnRequest : positionals.includes(name);
}

function withVerdict(result: Result) {
  return { ...result, within: isWithin(result) };
}

function table(results: readonly Result[]): string {
  const lines = results.map((result) => {
    const limit = limitOf(result);
    const value = `${result.value.toFixed(2)} ${result.unit}`;
    return `${isWithin(result) ? '✓' : '✗'} ${result.name.padEnd(52)} ${value.padStart(14)}   ${limit}`;
  });
  return `\n${lines.join('\n')}\n`;
}

function limitOf({ budget }: Result): string {
  if (!budget) return '';
  return 'atLeast' in budget ? `at least ${budget.atLeast}` : `at most ${budget.atMost}`;
}
