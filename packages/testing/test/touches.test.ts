import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Shop, type Shops, startShops, type Vendor } from './shop.ts';
import { START_MS } from './stack.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Comments {
  readonly data: readonly { readonly id: string; readonly body: string; readonly subject: { readonly id: string } }[];
}

let shops: Shops;
let shop: Shop;

beforeAll(async () => {
  shops = await startShops();
  // The shop records each vendor in a second table, as a ledger has open items for payments.
  shop = await shops.open(
    'noting',
    `CREATE FUNCTION take_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE note SET text = NEW.name, changed = clock_timestamp() WHERE supplier = NEW.id;
       IF NOT FOUND THEN INSERT INTO note (supplier, text) VALUES (NEW.id, NEW.name); END IF;
       RETURN NULL;
     END $$;
     CREATE TRIGGER take_note AFTER INSERT OR UPDATE ON supplier FOR EACH ROW EXECUTE FUNCTION take_note();`,
  );
}, START_MS);
afterAll(() => shops?.stop());

const write = async (method: string, path: string, json: object): Promise<Vendor> => {
  const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
  const { status, body } = await shop.send(path, { method, json, headers });
  expect(status, JSON.stringify(body)).toBeLessThan(202);
  return body.data;
};
const notes = async () => (await shop.send<Comments>('/comments')).body.data;

test('records that a write creates and changes in other streams are listed right after it', async () => {
  const { id } = await write('POST', '/vendors', { name: 'Acme' });
  const [created, ...others] = await notes();
  expect(created).toMatchObject({ body: 'Acme', subject: { id } });
  await write('PATCH', `/vendors/${id}`, { name: 'Acme Ltd' });
  expect(await notes()).toMatchObject([{ id: created?.id, body: 'Acme Ltd' }, ...others]);
});

test('a write succeeds if they cannot be read, and a sync reads them', async () => {
  await shop.sql('ALTER TABLE note RENAME TO away');
  await shop.sql('CREATE VIEW note AS SELECT *, 1 / (id - id) AS broken FROM away');
  const { id } = await write('POST', '/vendors', { name: 'Unread' });
  expect((await notes()).map(({ subject }) => subject.id)).not.toContain(id);
  await shop.sql('DROP VIEW note');
  await shop.sql('ALTER TABLE away RENAME TO note');
  await shop.sync('incremental');
  expect((await notes()).map(({ subject }) => subject.id)).toContain(id);
});
