import { asOwner, type Store } from '../access/store.ts';
import { keyedHash, seal } from '../secrets/secret-key.ts';
import { addDataKey, changeDataKeys, type KeyRing, keyRing, openWith } from './key-ring.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';

/** How many secrets were encrypted again, and how many could not be decrypted and were left unchanged. */
export interface Resealed {
  readonly resealed: number;
  readonly unreadable: number;
}

/** A rotation of the data key. */
export interface DataKeyRotation extends Resealed {
  /** Whether an earlier rotation was completed instead of starting a new one. */
  readonly isContinued: boolean;
}

const BATCH = 100;

/**
 * Encrypts all secrets with a new data key, while other processes read and write them. If an earlier rotation was interrupted,
 * it is completed instead. Throws `KeyRotationRefused`.
 */
export async function rotateDataKey(store: Store): Promise<DataKeyRotation> {
  const { resealed, unreadable } = await resealSecrets(store);
  if (resealed > 0) return { resealed, unreadable, isContinued: true };
  await addDataKey(store);
  return { ...(await resealSecrets(store)), isContinued: false };
}

/**
 * Encrypts with the newest data key every secret that is encrypted with an older key, or that an earlier release encrypted with
 * the master key. It may be interrupted at any time, and may run in several processes: a row is replaced only if it still has
 * the text that was read. Secrets whose key is not in the ring are left unchanged. Data keys that are no longer used are
 * removed a day after their replacement, when no process can still be storing a secret with them.
 */
export async function resealSecrets(store: Store): Promise<Resealed> {
  const ring = await keyRing(store);
  let [resealed, unreadable] = [0, 0];
  for (const column of sealedColumns) {
    let after: string | undefined = '';
    while (after !== undefined) {
      const batch: Batch = await readBatch(store, column, ring, after);
      const replacements = batch.rows.flatMap((row) => replacementOf(column, ring, row) ?? []);
      resealed += await replace(store, column, replacements);
      unreadable += batch.rows.length - replacements.length;
      after = batch.next;
    }
  }
  await removeUnusedKeys(store);
  return { resealed, unreadable };
}

/** A row and its encrypted text. */
interface SealedRow {
  readonly row: string;
  readonly text: string;
}

/** Rows of a column in order, and the last of them if there may be more. */
interface Batch {
  readonly rows: readonly SealedRow[];
  readonly next: string | undefined;
}

async function readBatch(
  store: Store,
  { table, column, row }: SealedColumn,
  ring: KeyRing,
  after: string,
): Promise<Batch> {
  const older = ring.all.filter(({ id }) => id !== ring.newest.id).map(({ id }) => id);
  const { rows } = await asOwner<SealedRow>(
    store,
    `select ${row} as row, "${column}" as text from unified."${table}"
      where split_part("${column}", '.', 2) = any($1::text[]) and ${row} > $2 order by 1 limit ${BATCH}`,
    [older, after],
  );
  return { rows, next: rows.length === BATCH ? rows.at(-1)?.row : undefined };
}

/** A row with its new text and keyed hash. */
interface Replacement extends SealedRow {
  readonly sealed: string;
  readonly hash: string | null;
}

/** Undefined for a text that was changed or moved, since it cannot be decrypted. */
function replacementOf(
  { table, column, lookup }: SealedColumn,
  ring: KeyRing,
  { row, text }: SealedRow,
): Replacement | undefined {
  const location = { table, column, row };
  const secret = openedOrUndefined(() => openWith(ring, location, text));
  if (secret === undefined) return undefined;
  const hash = lookup ? keyedHash(ring.newest, lookup.purpose, secret) : null;
  return { row, text, sealed: seal(ring.newest, location, secret), hash };
}

/** A secret that cannot be decrypted must not affect the others; the caller counts and reports it. */
function openedOrUndefined(open: () => string): string | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

async function replace(
  store: Store,
  { table, column, row, lookup, derived }: SealedColumn,
  replacements: readonly Replacement[],
): Promise<number> {
  if (replacements.length === 0) return 0;
  const others = [...(lookup ? [`"${lookup.column}" = given.hash`] : []), ...(derived ? [`"${derived}" = null`] : [])];
  const { rowCount } = await asOwner(
    store,
    `update unified."${table}" set ${[`"${column}" = given.sealed`, ...others].join(', ')}
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) given(place, text, sealed, hash)
      where ${row} = given.place and "${column}" = given.text`,
    [
      replacements.map((each) => each.row),
      replacements.map((each) => each.text),
      replacements.map((each) => each.sealed),
      replacements.map((each) => each.hash),
    ],
  );
  return rowCount ?? 0;
}

const USED = sealedColumns
  .map(
    ({ table, column }) =>
      `select split_part("${column}", '.', 2) from unified."${table}" where "${column}" is not null`,
  )
  .join(' union ');

async function removeUnusedKeys(store: Store): Promise<void> {
  await changeDataKeys(store, async (client) => {
    await client.query(
      `delete from unified.data_keys older
        where exists (select from unified.data_keys newer
                       where newer."createdAt" > older."createdAt" and newer."createdAt" < now() - interval '1 day')
          and older.id not in (${USED})`,
    );
  });
}
