import type { CompiledMapping, Intent, Platform, PullRequest, ResolvedReference, Stream } from '@unified/connectors';
import { platformOf } from '@unified/connectors';
import type { MappedRecord, Reference } from '@unified/contract';
import { openSql, type SqlDriver } from '../../connectors/src/sql/open-sql.ts';
import { addSandboxPlatform } from '../src/index.ts';
import { company, startCompany } from './company-database.ts';
import { day } from './day.ts';

/** The sandbox company in a separate database, accessed like a connected system. */
export interface Sandbox {
  readonly url: string;
  readonly platform: Platform;
  readonly driver: SqlDriver;
  mapping(entity: string): CompiledMapping;
  stream(entity: string): Stream;
  /** All records of an entity, as read by a full pass. */
  records(entity: string): Promise<MappedRecord[]>;
  /** The current state of one record. */
  record(entity: string, key: string): Promise<MappedRecord>;
  /** A reference that was looked up. */
  resolve(reference: Reference): Promise<ResolvedReference>;
  /** An intent that was not used before. */
  intent(): Intent;
  stop(): Promise<void>;
}

addSandboxPlatform();

export async function startSandbox(preparation = company): Promise<Sandbox> {
  const { url, stop } = await startCompany(preparation);
  const platform = platformOf('sandbox');
  const driver = openSql(platform, { url });
  const mapping = (entity: string) => found(platform.mappings[entity], entity);
  const stream = (entity: string) =>
    found(
      platform.streams.find(({ name }) => name === mapping(entity).stream),
      entity,
    );
  const known = new Map<string, Promise<MappedRecord[]>>();
  let writes = 0;

  async function records(entity: string): Promise<MappedRecord[]> {
    const all: MappedRecord[] = [];
    let from: PullRequest['from'] = null;
    do {
      const page = await driver.pull({ stream: stream(entity), from, limit: 2_000 });
      // A stream can contain rows of another entity, or of none.
      all.push(...page.rows.flatMap((row) => mapping(entity).read(row) ?? []));
      from = page.next;
    } while (from !== null);
    return all;
  }

  async function resolve({ entity, by, value }: Reference): Promise<ResolvedReference> {
    const all = known.get(entity) ?? records(entity);
    known.set(entity, all);
    const matching = (await all).filter(
      (record) => (by === '_idValue' ? record._idValue : record.values[by]) === value,
    );
    if (matching.length !== 1) throw new Error(`${entity} with ${by} ${value}: ${matching.length}`);
    const { _idValue, values } = found(matching[0], value);
    return {
      id: `id of ${_idValue}`,
      _idValue,
      code: String(values.code),
      _displayValue: String(values._displayValue),
      entity,
    };
  }

  return {
    url,
    platform,
    driver,
    mapping,
    stream,
    records,
    async record(entity, key) {
      const row = found(await driver.read(stream(entity), key), key);
      return found(mapping(entity).read({ key, row }), key);
    },
    resolve,
    intent: () => ({ writeId: `write ${++writes}`, position: null, sentAt: `${day(0)}T06:00:00Z` }),
    async stop() {
      await driver.close();
      await stop();
    },
  };
}

export function found<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`There is no ${name}`);
  return value;
}
