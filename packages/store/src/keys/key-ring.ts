import type pg from 'pg';
import { asOwner, inOwnerTransaction, masterKeyOf, type Store } from '../access/store.ts';
import {
  keyedHash,
  keyIdOf,
  MasterKeyError,
  parseKey,
  randomKey,
  type SecretKey,
  type SecretLocation,
  seal,
  unseal,
} from '../secrets/secret-key.ts';
import { fixedStatement } from '../sql/statement.ts';
import { type SealedLocation, sealedColumns } from './sealed-columns.ts';

/** The keys that the secrets of an installation are encrypted with. */
export interface KeyRing {
  /** The key that new secrets are encrypted with. */
  readonly newest: SecretKey;
  /** The keys that can decrypt: the data keys, newest first, and the master key, with which earlier releases encrypted. */
  readonly all: readonly SecretKey[];
}

/** A data key as it is stored. */
interface WrappedKey {
  readonly id: string;
  readonly masterId: string;
  readonly wrapped: string;
}

/**
 * Reads the keys; the first process creates the first data key. They are read each time, so that every process encrypts with
 * the newest key and finds secrets by the hashes of every key. Throws `MasterKeyError`.
 */
export async function keyRing(store: Store): Promise<KeyRing> {
  const master = masterKeyOf(store);
  const stored = await asOwner<WrappedKey>(store, ALL);
  return ringOf(master, stored.rows.length > 0 ? stored.rows : await changeDataKeys(store, firstKey(master)));
}

/** Encrypts a secret with the newest data key, for one column and row. */
export async function sealSecret(store: Store, location: SealedLocation, secret: string): Promise<string> {
  return seal((await keyRing(store)).newest, location, secret);
}

/** Decrypts the output of `sealSecret` or of `seal` with a key of the ring. Never log it. */
export async function openSecret(store: Store, location: SealedLocation, text: string): Promise<string> {
  return openWith(await keyRing(store), location, text);
}

/** The same with keys that were already read. Throws when none of them matches. */
export function openWith({ newest, all }: KeyRing, location: SecretLocation, text: string): string {
  const key = all.find(({ id }) => id === keyIdOf(text)) ?? newest;
  return unseal(key, location, text);
}

/** The keyed hashes under which a secret may be stored: one per key, because a rotation replaces them one by one. */
export function lookupsOf({ all }: KeyRing, purpose: string, secret: string): string[] {
  return all.map((key) => keyedHash(key, purpose, secret));
}

const ALL = fixedStatement(
  'select id, "masterId", wrapped from unified.data_keys order by "createdAt" desc, id, "masterId"',
);

/** Changes the data keys, in one process at a time, and returns them. */
export async function changeDataKeys(
  store: Store,
  change: (client: pg.ClientBase, stored: readonly WrappedKey[]) => Promise<void>,
): Promise<readonly WrappedKey[]> {
  return inOwnerTransaction(store, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('unified data keys', 0))`);
    await change(client, (await client.query<WrappedKey>(ALL)).rows);
    return (await client.query<WrappedKey>(ALL)).rows;
  });
}

function ringOf(master: SecretKey, stored: readonly WrappedKey[]): KeyRing {
  const own = stored.filter(({ masterId }) => masterId === master.id);
  const data = own.map(({ id, wrapped }) => parseKey(unseal(master, locationOf(id), wrapped), 'A data key'));
  const [newest] = data;
  if (newest && data.length === new Set(stored.map(({ id }) => id)).size) return { newest, all: [...data, master] };
  const others = new Set(stored.map(({ masterId }) => masterId).filter((id) => id !== master.id));
  throw new MasterKeyError(
    `The secrets of this installation need the master key ${[...others].join(' or ')}; the one given is ${master.id}.`,
  );
}

function locationOf(row: string) {
  return { table: 'data_keys', column: 'wrapped', row };
}

function firstKey(master: SecretKey) {
  return async (client: pg.ClientBase, stored: readonly WrappedKey[]) => {
    if (stored.length === 0) await addKey(client, master);
  };
}

async function addKey(client: pg.ClientBase, master: SecretKey): Promise<void> {
  const key = randomKey();
  await client.query('insert into unified.data_keys (id, "masterId", wrapped) values ($1, $2, $3)', [
    key.id,
    master.id,
    wrap(master, key),
  ]);
}

function wrap(master: SecretKey, key: SecretKey): string {
  return seal(master, locationOf(key.id), key.bytes.toString('base64'));
}

const SEALED = sealedColumns
  .map(({ table, column }) => `select split_part("${column}", '.', 2) as key from unified."${table}"`)
  .join(' union all ');

/**
 * The end of a rotation must not make a secret unreadable: each is encrypted with a data key, or with the master key that
 * stays.
 */
async function refuseUnwrapped(client: pg.ClientBase, { id }: SecretKey): Promise<void> {
  const { rows } = await client.query<{ secrets: number; keys: string[] | null }>(
    `select count(*)::int as secrets, array_agg(distinct key) as keys from (${SEALED}) sealed
      where key <> '' and key <> $1 and key not in (select id from unified.data_keys)`,
    [id],
  );
  const [found] = rows;
  if (!found || found.secrets === 0) return;
  throw new KeyRotationRefused(
    `${found.secrets} secrets are encrypted with the key ${found.keys?.join(' or ')}, which is not wrapped by the new master ` +
      'key. If it is an earlier master key, run: npm run admin -- key rotate-master again with it. If it is lost, remove what ' +
      'it encrypts; docs/operations.md describes how.',
  );
}

/** A change of keys that is not possible now. The message states what to do. */
export class KeyRotationRefused extends Error {}

/** Creates a data key, which every process encrypts with from then on. Throws `KeyRotationRefused`. */
export async function addDataKey(store: Store): Promise<void> {
  const master = masterKeyOf(store);
  await changeDataKeys(store, async (client, stored) => {
    if (stored.some(({ masterId }) => masterId !== master.id)) {
      const message =
        'The master key is being rotated. Finish that first: npm run admin -- key rotate-master --finish.';
      throw new KeyRotationRefused(message);
    }
    await addKey(client, master);
  });
}

/**
 * Additionally wraps every data key with another master key. From then on, processes can be started with either. Returns the
 * number of data keys that were wrapped. Throws `MasterKeyError`.
 */
export async function addMasterKey(store: Store, next: SecretKey): Promise<number> {
  const master = masterKeyOf(store);
  let wrapped = 0;
  await changeDataKeys(store, async (client, stored) => {
    for (const key of ringOf(master, stored).all.filter(({ id }) => id !== master.id)) {
      const { rowCount } = await client.query(
        `insert into unified.data_keys (id, "masterId", wrapped, "createdAt")
         select id, $2, $3, "createdAt" from unified.data_keys where id = $1 and "masterId" = $4
         on conflict (id, "masterId") do update set "wrappedAt" = excluded."wrappedAt"`,
        [key.id, next.id, wrap(next, key), master.id],
      );
      wrapped += rowCount ?? 0;
    }
  });
  return wrapped;
}

/**
 * Ends the use of all master keys except the given one, which must be the last one added: processes that were started with
 * another key can no longer use secrets. Returns the number of retired keys. Throws `MasterKeyError` and `KeyRotationRefused`.
 */
export async function retireOtherMasterKeys(store: Store): Promise<number> {
  const master = masterKeyOf(store);
  let retired = 0;
  await changeDataKeys(store, async (client, stored) => {
    ringOf(master, stored);
    const { rows } = await client.query<{ masterId: string }>(
      'select "masterId" from unified.data_keys group by 1 order by max("wrappedAt") desc',
    );
    if (rows[0]?.masterId !== master.id) {
      const message = `The master key given is an earlier one. Finish with the new one, ${rows[0]?.masterId}.`;
      throw new KeyRotationRefused(message);
    }
    await refuseUnwrapped(client, master);
    retired = rows.length - 1;
    await client.query('delete from unified.data_keys where "masterId" <> $1', [master.id]);
  });
  return retired;
}
