import { setTimeout as pause } from 'node:timers/promises';
import { companyOf, syncedCompany } from '@unified/engine/testing/synced-company';
import { issueConnectionToken } from '@unified/store';
import { checkedFetch, database, signIn, type TestDatabase } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companySettings } from '../../sandbox/test/company-database.ts';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { managing } from './managing.ts';
import { prefixed } from './mapping-journey.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

/** Kills of the whole service; `KILLS=30` is the figure of the requirements. */
const KILLS = Number(process.env.KILLS ?? 4);
/** Longest time between an activation and a kill, in milliseconds: more than a derivation takes. */
const LONGEST_MS = 1_500;
const ROWS = 3_000;
/** A restart, or a derivation, on a busy machine. */
const PATIENCE = { timeout: 120_000, interval: 100 };

const seed = Number(process.env.KILL_SEED ?? 20261125);
const random = seededRandom(seed);

interface Mapping {
  readonly revision: number;
  readonly derivation: { readonly state: string } | null;
}

let base: TestDatabase;
let connectionId: string;
let token: string;
let reading: string;
let service: StartedProcess;

beforeAll(async () => {
  base = await database(undefined, undefined, syncedCompany);
  const { applicationId, ...scope } = await companyOf(base, base.store);
  connectionId = scope.connectionId;
  const { url, schema } = await companySettings(base);
  const system = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await system.connect();
  await system.query(`create table grade (id int primary key, name text);
    insert into grade select n, n::text from generate_series(1, ${ROWS}) n`);
  await system.end();
  service = await startProcess(base, 'all');
  token = (await signIn(base.store, service.baseUrl, applicationId)).token;
  reading = (await issueConnectionToken(base.store, { connectionId })).token;
}, 700_000);

afterAll(async () => {
  await service?.kill();
  await base?.stop();
});

const path = () => `/connections/${connectionId}/field-mappings/Taxonomy`;
const call = <Data>(method: string, address: string, json?: object) =>
  managing(service.baseUrl, token)<Data>(method, address, json);
const active = () => call<Mapping>('GET', path());

/** Saves a revision that reads the grades, with a prefix in their names. */
async function saved(prefix: string): Promise<number> {
  const mapping = { stream: 'grade', fields: { name: prefixed(prefix, 'name') } };
  return (await call<Mapping>('POST', path(), mapping)).revision;
}

async function derived(): Promise<void> {
  await expect.poll(async () => (await active()).derivation?.state, PATIENCE).toBe('completed');
}

/** How many records have each prefix; those of the platform have none. */
async function prefixes(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (let cursor = ''; ; ) {
    const url = `${service.baseUrl}/v4/taxonomies?per_page=100${cursor}`;
    const sent = { headers: { authorization: `Bearer ${reading}` } };
    const { body } = await checkedFetch<Page>(url, sent);
    for (const { name } of body.data) {
      const [prefix = ''] = /^[AB](?= \d+$)/.exec(name) ?? [];
      found[prefix] = (found[prefix] ?? 0) + 1;
    }
    if (body.meta.next_cursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(body.meta.next_cursor)}`;
  }
}

interface Page {
  readonly data: readonly { readonly name: string }[];
  readonly meta: { readonly next_cursor: string | null };
}

test('the active revision and the records agree, wherever the service is killed during activations', {
  timeout: 1_800_000,
}, async () => {
  const original = await prefixes();
  await call('PUT', `/connections/${connectionId}/custom-streams`, { streams: [{ name: 'grade', key: ['id'] }] });
  const tables = `/connections/${connectionId}/source-tables?table=grade`;
  const rows = async () => (await call<readonly { rows: number }[]>('GET', tables))[0]?.rows;
  await expect.poll(rows, PATIENCE).toBe(ROWS);
  const revisions = [0, await saved('A'), await saved('B')];
  const expected = [original, { A: ROWS }, { B: ROWS }];
  const agrees = async (round: number) => {
    await derived();
    const { revision } = await active();
    expect(await prefixes(), `seed ${seed}, kill ${round}`).toEqual(expected[revisions.indexOf(revision)]);
  };
  let current = 0;
  const counts = { refused: 0, unfinished: 0 };
  for (let round = 1; round <= KILLS; round += 1) {
    const wanted = (current + 1 + Math.floor(random() * 2)) % revisions.length;
    const activation = call('POST', `${path()}/revisions/${revisions[wanted]}/actions/activate`).then(
      () => true,
      () => false,
    );
    await pause(random() * LONGEST_MS * (round % 3 === 0 ? 0.02 : 1));
    await service.kill();
    const isAccepted = await activation;
    service = await startProcess(base, 'all');
    const { revision, derivation } = await active();
    // A request without a response may have been carried out.
    if (isAccepted) expect(revision).toBe(revisions[wanted]);
    else counts.refused += 1;
    if (derivation?.state !== 'completed') counts.unfinished += 1;
    current = revisions.indexOf(revision);
    // Every other derivation is overtaken by the next activation.
    if (round % 2 === 0) await agrees(round);
  }
  await agrees(KILLS);
  console.log(`seed ${seed}: ${KILLS} kills`, counts);
});
