import type { Row, RowActions, RowWrites } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import type { ButtonNames } from './button-names.ts';
import { press } from './buttons.ts';
import type { ChangingCalls } from './changing-calls.ts';
import { isCreatedWith } from './created-record.ts';
import { optionsOf } from './options.ts';
import type { RecordWriter } from './record-writer.ts';
import type { Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import type { ValuesEncoder } from './values-encoder.ts';
import { isWireObject, type Wire } from './wire.ts';

/** Dependencies of writes. */
export interface Writer {
  readonly session: TrytonSession;
  readonly schemas: Schemas;
  readonly buttons: ButtonNames;
  readonly calls: ChangingCalls;
  readonly encoder: ValuesEncoder;
  readonly recordWriter: RecordWriter;
  readonly settleAfterMs: number;
  read(stream: Stream, key: string): Promise<Row | null>;
}

export function rowWrites(writer: Writer): RowWrites {
  const { session, calls, recordWriter, read } = writer;
  return {
    /** The highest id so far: a record that we create gets a higher one. */
    async positionBeforeCreate(stream) {
      const params: Wire[] = [[], 0, 1, [['id', 'DESC']]];
      const ids = await session.call(optionsOf(stream).model, 'search', params, { context: { active_test: false } });
      return { after: Array.isArray(ids) ? Number(ids[0] ?? 0) : 0 };
    },
    async create(stream, values) {
      return { key: String(await recordWriter.create(optionsOf(stream), values)) };
    },
    findCreated: (stream, values, intent) => findCreated(writer, stream, values, intent),
    async update(stream, key, values, _intent, known) {
      await recordWriter.update(optionsOf(stream), await existing(writer, stream, key), values, known);
    },
    async remove(stream, key) {
      if ((await read(stream, key)) === null) return;
      await calls.call(optionsOf(stream).model, 'delete', [[Number(key)]]);
    },
  };
}

/** The buttons of a model. */
export function rowActions(writer: Writer): RowActions {
  const { recordWriter, read } = writer;
  return {
    async act(stream, key, action, values) {
      const { model, buttons = {} } = optionsOf(stream);
      const row = await existing(writer, stream, key);
      if (Object.keys(values).length > 0) await recordWriter.update(optionsOf(stream), row, values);
      const button = Object.hasOwn(buttons, action) ? buttons[action] : undefined;
      await press(writer, { model, id: Number(key), name: action, button }, () => read(stream, key));
    },
  };
}

/**
 * Among the records that our user created since `positionBeforeCreate`, the first one with the values that were sent. Null is
 * certain only once the request can no longer take effect; until then, throws `unavailable`.
 */
async function findCreated(
  { session, schemas, encoder, settleAfterMs }: Writer,
  ...[stream, values, { position, sentAt }]: Parameters<RowWrites['findCreated']>
): Promise<{ key: string } | null> {
  const options = optionsOf(stream);
  const waitMs = Date.parse(sentAt) + settleAfterMs - Date.now();
  const schema = await schemas.asNamed(options.model);
  const sent = Object.entries(values).filter(([name]) => schema.has(name) && !options.firsts?.[name]);
  const encoded = await encoder.encode(options.model, Object.fromEntries(sent));
  const after = isWireObject(position) ? Number(position.after) : 0;
  const domain: Wire[] = [
    ['id', '>', after],
    ['create_uid', '=', await session.userId()],
  ];
  const params = [domain, 0, null, [['id', 'ASC']], ['id', ...Object.keys(encoded)]];
  const records = await session.call(options.model, 'search_read', params, { context: { active_test: false } });
  const found = (Array.isArray(records) ? records : []).find((record) => isCreatedWith(record, encoded));
  if (found) return { key: String(found.id) };
  if (waitMs <= 0) return null;
  const words = 'Tryton may still be working on the request';
  throw new SystemError('unavailable', words, { retryAfter: Math.ceil(waitMs / 1000), isOnlyForCall: true });
}

async function existing({ read }: Writer, stream: Stream, key: string): Promise<Row> {
  const row = await read(stream, key);
  if (!row) throw new SystemError('gone', 'The record no longer exists');
  return row;
}
