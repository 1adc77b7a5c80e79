import type { Intent, RowActions, RowWrites } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { act } from './act.ts';
import type { Database, Query, SqlDialect } from './dialect/sql-dialect.ts';
import type { WriteJournal } from './journal.ts';
import { relationOf } from './relation.ts';
import { type RowToChange, rowToChange } from './row-to-change.ts';
import { tableOf } from './source.ts';
import type { Sources } from './sources.ts';
import { create, findByValues, remove, update } from './write-with-lists.ts';

/** The context of writes. Without a journal, nothing is recorded inside the system. */
export interface Writer {
  readonly dialect: SqlDialect;
  readonly database: Database;
  readonly sources: Sources;
  readonly journal: WriteJournal | undefined;
}

/**
 * Every change and its entry in the journal are one transaction, so that a repeated write is detected inside the system itself.
 */
export function rowWrites(writer: Writer): RowWrites {
  const { dialect, sources, journal } = writer;
  const { query } = writer.database;
  return {
    async positionBeforeCreate(stream) {
      if (journal) return null;
      const last = dialect.spell.asText(`max(${dialect.spell.quote(stream.key[0] ?? '')})`);
      const table = tableOf(await sources.of(stream));
      const [row] = await query(`SELECT ${last} AS last FROM ${table}`);
      return typeof row?.last === 'string' ? row.last : null;
    },
    async create(stream, values, intent) {
      const source = await sources.of(stream);
      return { key: await once(writer, stream, intent, (inside) => create(inside, source, values)) };
    },
    async findCreated(stream, values, intent) {
      const key = journal
        ? await journal.find(query, stream.name, intent.writeId)
        : await findByValues(query, await sources.of(stream), values, intent);
      return key === null ? null : { key };
    },
    async update(stream, key, values, intent, known) {
      await change(writer, { stream, key, intent }, (inside, toChange) => update(inside, toChange, values, known));
    },
    async remove(stream, key, intent) {
      await change(writer, { stream, key, intent }, remove);
    },
  };
}

/** The actions that streams declare in their options. */
export function rowActions(writer: Writer): RowActions {
  return {
    async act(stream, key, action, values, intent) {
      const { actions } = writer.sources.options(stream);
      const declared = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (!declared) throw new SystemError('rejected', `${stream.name} has no action ${action}`);
      await change(writer, { stream, key, intent }, (inside, toChange) => act(inside, toChange, declared, values));
    },
  };
}

async function change(
  writer: Writer,
  { stream, key, intent }: { readonly stream: Stream; readonly key: string; readonly intent: Intent },
  work: (query: Query, toChange: RowToChange) => Promise<void>,
): Promise<void> {
  const toChange = rowToChange(await writer.sources.of(stream), key);
  await once(writer, stream, intent, async (query) => {
    await work(query, toChange);
    return key;
  });
}

/** Runs the work unless this write has been done before, or is being done by another process. */
async function once(
  { dialect, database, sources, journal }: Writer,
  stream: Stream,
  intent: Intent,
  work: (query: Query) => Promise<string>,
): Promise<string> {
  const done = await journal?.find(database.query, stream.name, intent.writeId);
  if (done) return done;
  try {
    return await database.transaction(async (inside) => {
      const key = await work(inside);
      await journal?.note(inside, stream.name, key, intent);
      return key;
    });
  } catch (error) {
    const isRepeated = error instanceof SystemError && dialect.causeOf(error) === 'unique-key';
    const meanwhile = isRepeated ? await journal?.find(database.query, stream.name, intent.writeId) : null;
    if (meanwhile) return meanwhile;
    throw await dialect.writeRefusal(
      database.query,
      error,
      relationOf(dialect, sources.options(stream).table, '').name,
    );
  }
}
