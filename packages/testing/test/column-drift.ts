import { fileURLToPath } from 'node:url';
import { loadPlatform, openDriver } from '@unified/connectors';
import { checkedFetch, connect, signIn } from '@unified/testing';
import { expect, vi } from 'vitest';
import { managing } from './managing.ts';
import { startStack } from './stack.ts';

const PATIENCE = { timeout: 120_000, interval: 100 };
const PLATFORM = fileURLToPath(new URL('drift', import.meta.url));

/** A running database, whose schema the test changes. */
export interface ChangingSystem {
  readonly url: string;
  sql(text: string): Promise<unknown>;
  /** How it names the types of the columns. */
  readonly types: Readonly<Record<'text' | 'integer', string>>;
  /** Changes the type of the column `lead_days` from integer to text. */
  readonly retype: string;
}

interface Status {
  readonly error: string | null;
  readonly nextRunAt: string | null;
  readonly lastSuccessAt: string | null;
  readonly columnChanges: readonly object[];
  readonly problems: readonly object[];
}

type Vendor = Readonly<Record<'name' | 'phone' | 'email' | 'leadTimeDays', unknown>>;

const TABLE = `create table supplier (
  id integer primary key, code varchar(10), name varchar(40), phone varchar(20), email varchar(40), lead_days integer,
  changed timestamp(6) not null default current_timestamp(6))`;
const ROWS = `insert into supplier (id, code, name, phone, email, lead_days) values
  (1, 'A', 'Acme', '+49 1', 'a@acme.example', 7), (2, 'B', 'Bolts', '+49 2', 'b@bolts.example', 14)`;
const TOUCH = 'update supplier set changed = current_timestamp(6)';

/** A service that is connected to the system, with one table that has been read. */
export async function driftingConnection(system: ChangingSystem) {
  for (const text of [TABLE, ROWS]) await system.sql(text);
  const platform = loadPlatform(PLATFORM);
  const stack = await startStack({ openDriver, platformOf: () => platform });
  await stack.startWorker();
  const { baseUrl, database } = stack;
  const settings = { url: system.url };
  const { connectionId, applicationId, token } = await connect(database.store, { platform: platform.id, settings });
  const call = managing(baseUrl, (await signIn(database.store, baseUrl, applicationId)).token);
  const read = async <Data>(path: string, method = 'GET', json?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await checkedFetch<{ data: Data }>(`${baseUrl}/v4${path}`, {
      method,
      headers,
      ...(json && { json }),
    });
    return body.data;
  };
  const status = async () => (await read<readonly Status[]>('/sync-status'))[0];
  const vendors = async () => await read<readonly Vendor[]>('/vendors?sort=name');
  /** Runs a synchronization, and returns the status after it. */
  const sync = async (body: object) => {
    const before = (await status())?.nextRunAt;
    await read('/sync', 'POST', body);
    return vi.waitFor(async () => {
      const now = await status();
      // During a run, the stream is due.
      const isOver = now?.nextRunAt !== before && Date.parse(now?.nextRunAt ?? '') > Date.now();
      expect(isOver).toBe(true);
      return now;
    }, PATIENCE);
  };
  await vi.waitFor(async () => expect(await vendors()).toHaveLength(2), PATIENCE);
  await vi.waitFor(async () => expect((await status())?.lastSuccessAt).not.toBeNull(), PATIENCE);
  return { stack, connectionId, call, status, vendors, sync };
}

/** Renames, drops and retypes columns of a running system: each is reported, and no field is emptied in silence. */
export async function expectDriftReported(system: ChangingSystem): Promise<void> {
  const { stack, connectionId, call, vendors, sync } = await driftingConnection(system);
  try {
    const { text, integer } = system.types;
    const [acme, bolts] = await vendors();
    expect(acme).toMatchObject({ name: 'Acme', phone: '+49 1', email: 'a@acme.example', leadTimeDays: 7 });

    await system.sql('alter table supplier rename column phone to telephone');
    await system.sql(TOUCH);
    const lost = 'supplier no longer has the column "phone", which is read for Vendor.phone.';
    for (const mode of ['incremental', 'full']) {
      const renamed = await sync({ mode });
      expect(renamed).toMatchObject({ error: expect.stringContaining(lost) });
      expect(renamed?.columnChanges).toMatchObject([
        { column: 'phone', change: 'removed', from: text, to: null, fields: ['Vendor.phone'] },
        { column: 'telephone', change: 'added', from: null, to: text, fields: [] },
      ]);
      expect(await vendors()).toEqual([acme, bolts]);
    }
    const path = `/connections/${connectionId}/field-mappings/Vendor`;
    await call('POST', path, { fields: { leadTimeDays: { number: 'lead_days' } }, activate: true });
    expect((await sync({ mode: 'full' }))?.error).toContain(lost);
    await call('POST', path, { fields: { phone: 'telephone', leadTimeDays: { number: 'lead_days' } }, activate: true });
    expect(await sync({ mode: 'full' })).toMatchObject({ error: null, problems: [] });
    expect(await vendors()).toMatchObject([{ phone: '+49 1' }, { phone: '+49 2' }]);

    await system.sql('alter table supplier drop column email');
    await system.sql(TOUCH);
    expect(await sync({})).toMatchObject({ error: expect.stringContaining('"email"') });
    expect(await vendors()).toMatchObject([{ email: 'a@acme.example' }, { email: 'b@bolts.example' }]);
    const accepted = await sync({ mode: 'full', acceptColumns: true });
    const missing = { field: 'email', path: 'email', reason: 'missing_column' };
    expect(accepted).toMatchObject({ error: null, problems: [missing] });
    expect(await vendors()).toMatchObject([{ email: null }, { email: null }]);

    await system.sql(system.retype);
    await system.sql(`update supplier set lead_days = 'soon', changed = current_timestamp(6) where code = 'A'`);
    await system.sql(`update supplier set lead_days = '21', changed = current_timestamp(6) where code = 'B'`);
    const retyped = await sync({});
    const change = { column: 'lead_days', change: 'retyped', from: integer, to: text, fields: ['Vendor.leadTimeDays'] };
    expect(retyped?.columnChanges[0]).toMatchObject(change);
    const unreadable = { field: 'leadTimeDays', path: 'lead_days', reason: 'unreadable', count: 1, example: 'soon' };
    expect(retyped).toMatchObject({ error: null, problems: [missing, unreadable] });
    expect(await vendors()).toMatchObject([{ leadTimeDays: null }, { leadTimeDays: 21 }]);
  } finally {
    await stack.stop();
  }
}
