import { randomUUID } from 'node:crypto';
import type { WriteRecord } from '@unified/sdk';
import { type CheckedResponse, checkedFetch, signIn, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { managing } from './managing.ts';
import { type SeveralProcesses, startSeveralProcesses, TOKEN_LIMIT } from './several-processes.ts';
import type { StartedProcess } from './started-process.ts';

/** Starting four processes on a busy machine. */
const START_MS = 700_000;
/** Writes of several connections, with restarts, on a busy machine. */
const PATIENCE = { timeout: 120_000, interval: 50 };

/** Milliseconds for which a revoked token may still be accepted, as documented. */
const REVOKED_WITHIN = 5_000;

let running: SeveralProcesses;

beforeAll(async () => {
  running = await startSeveralProcesses();
}, START_MS);
afterAll(() => running?.stop());

const reads = ({ baseUrl }: StartedProcess, token: string) =>
  checkedFetch(`${baseUrl}/v4/vendors?per_page=1`, { headers: { Authorization: `Bearer ${token}` } });

test('a token that is revoked at one process is refused by the other within the documented time', async () => {
  const [first, second] = running.apis;
  const { applicationId, connectionId } = connectionAt(0);
  const { token: admin } = await signIn(running.base.store, second.baseUrl, applicationId);
  const issued = { name: 'Revoked', expiresInDays: 1 };
  const { id, token } = await managing(first.baseUrl, admin)<{ id: string; token: string }>(
    'POST',
    `/connections/${connectionId}/token`,
    issued,
  );
  expect((await reads(second, token)).status).toBe(200);
  const revoked = await checkedFetch(`${first.baseUrl}/v4/connections/${connectionId}/tokens/${id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${admin}` },
  });
  expect(revoked.status).toBe(204);
  const revokedAt = performance.now();
  let acceptedAt = revokedAt;
  await expect
    .poll(async () => {
      const at = performance.now();
      const { status } = await reads(second, token);
      if (status === 200) acceptedAt = at;
      return status;
    }, PATIENCE)
    .toBe(401);
  expect(acceptedAt - revokedAt).toBeLessThan(REVOKED_WITHIN);
});

test('requests to either process count toward one limit', async () => {
  const [first, second] = running.apis;
  const guess = ({ baseUrl }: StartedProcess) =>
    checkedFetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      json: { grant_type: 'client_credentials', client_id: randomUUID(), client_secret: 'wrong' },
    });
  const limited = async (process: StartedProcess) => (await guess(process)).status === 429;
  let sent = 1;
  while (!(await limited(first))) sent += 1;
  expect(sent).toBeGreaterThan(TOKEN_LIMIT / 2);
  // The second process learns what the first has counted with its own first requests.
  let own = 1;
  await expect.poll(() => limited(second).finally(() => own++), { interval: 100 }).toBe(true);
  expect(own).toBeLessThan(TOKEN_LIMIT);
});

/** Creates a vendor; `prefer` decides whether the outcome is awaited. */
function create(
  { baseUrl }: StartedProcess,
  { token }: TestConnection,
  { name, key = randomUUID(), prefer = 'respond-async' }: { name: string; key?: string; prefer?: string },
): Promise<CheckedResponse<WriteRecord>> {
  const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': key, Prefer: prefer };
  return checkedFetch(`${baseUrl}/v4/vendors`, { method: 'POST', headers, json: { name } });
}

function connectionAt(index: number): TestConnection {
  const { connections } = running;
  return connections[index % connections.length] ?? expect.fail('there is no connection');
}

async function writeOf({ baseUrl }: StartedProcess, { token }: TestConnection, writeId: string): Promise<WriteRecord> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await checkedFetch<WriteRecord>(`${baseUrl}/v4/writes/${writeId}`, { headers })).body;
}

/** Waits until each write has succeeded and its record is stored. */
async function succeed(api: StartedProcess, queued: readonly Queued[]): Promise<void> {
  for (const { connection, writeId } of queued) {
    await expect.poll(async () => (await writeOf(api, connection, writeId)).finishedAt, PATIENCE).not.toBeNull();
    expect(await writeOf(api, connection, writeId)).toMatchObject({ error: null, status: 'succeeded', synced: true });
  }
}

interface Queued {
  readonly connection: TestConnection;
  readonly writeId: string;
}

test('a write that one process has accepted is waited for at the other', async () => {
  const [first, second] = running.apis;
  const [connection, key] = [connectionAt(0), randomUUID()];
  const accepted = await create(first, connection, { name: 'Several 1', key });
  expect(accepted.status).toBe(202);
  const wait = () => create(second, connection, { name: 'Several 1', key, prefer: 'wait=30' });
  // On a busy machine, the outcome may take longer than one request waits.
  await expect.poll(async () => (await wait()).status, PATIENCE).toBe(200);
  const settled = await wait();
  expect(settled.headers.get('idempotency-replayed')).toBe('true');
  expect(settled.headers.get('write-id')).toBe(accepted.headers.get('write-id'));
});

/** Makes the company slow, and has it count the calls that it carries out at the same time. */
const COUNTING = `
  create table erp.seen (calls int);
  create function erp.see() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(0.1);
    perform pg_stat_clear_snapshot();
    insert into erp.seen
      select count(*) from pg_stat_activity where application_name = 'unified-connector' and state <> 'idle';
    return new;
  end $$;
  create trigger see before insert on erp.lief for each row execute function erp.see()`;

test('all workers together make at most four calls to an account at the same time', { timeout: 600_000 }, async () => {
  const [api] = running.apis;
  const company = await running.companySession();
  await company.query(COUNTING);
  const callers = async () => {
    const open = `select from pg_stat_activity where application_name = 'unified calls'`;
    return (await running.service.query(open)).rowCount ?? 0;
  };
  const { connections } = running;
  let round = 0;
  const writeToAll = async () => {
    round += 1;
    const queued = await Promise.all(
      connections.map(async (connection, n) => {
        const { headers } = await create(api, connection, { name: `Counted ${round}-${n}` });
        return { connection, writeId: headers.get('write-id') ?? '' };
      }),
    );
    await succeed(api, queued);
    return callers();
  };
  // A worker opens its session with its first call.
  await expect.poll(writeToAll, PATIENCE).toBe(running.workers.length);
  for (let more = 0; more < 3; more += 1) await writeToAll();
  const { rows } = await company.query('select max(calls)::int as most from erp.seen');
  expect(rows[0].most).toBeGreaterThan(1);
  expect(rows[0].most).toBeLessThanOrEqual(4);
  await company.query('drop trigger see on erp.lief');
});

/** Number of writes, and after how many of them a server and a worker are killed. */
const WRITES = 60;
const KILLED_AFTER = 24;
const AT_ONCE = 6;

test('a server and a worker that are killed during writes lose and repeat none', { timeout: 600_000 }, async () => {
  const [killed, survivor] = running.apis;
  const [worker = expect.fail('there is no worker')] = running.workers;
  const names = Array.from({ length: WRITES }, (_, n) => `Killed ${n}`);
  let cut = 0;
  const accepted = async (name: string, n: number) => {
    const [connection, key] = [connectionAt(n), randomUUID()];
    const response = await create(n % 2 === 0 ? killed : survivor, connection, { name, key }).catch(() => {
      cut += 1;
      // A client that gets no response repeats its request elsewhere, with the same key.
      return create(survivor, connection, { name, key });
    });
    return { connection, writeId: response.headers.get('write-id') ?? '' };
  };
  const writes: Queued[] = [];
  const kills: Promise<void>[] = [];
  for (let n = 0; n < WRITES; n += AT_ONCE) {
    const batch = Promise.all(names.slice(n, n + AT_ONCE).map((name, at) => accepted(name, n + at)));
    if (n === KILLED_AFTER) kills.push(killed.kill(), worker.kill());
    writes.push(...(await batch));
  }
  await Promise.all(kills);
  expect(cut).toBeGreaterThan(0);
  await succeed(survivor, writes);
  const company = await running.companySession();
  const { rows } = await company.query(`select name1 as name from lief where name1 like 'Killed %'`);
  expect(rows.map(({ name }) => name).sort()).toEqual(names.toSorted());
});
