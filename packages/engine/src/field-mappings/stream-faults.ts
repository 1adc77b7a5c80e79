import { type CustomStream, type SystemCatalog, SystemError, tableStream } from '@unified/connectors';
import { nearest } from '@unified/contract';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { platformOfModel } from '../model/connection-model.ts';
import { type MappedConnection, type MappingParts, unlessAvailable, withSystem } from './mapped-connection.ts';
import { columnsOf } from './source-tables.ts';

/** A problem of one of several streams. `field` is the position in the list, such as `1.key.0`. */
export interface StreamFault {
  readonly field: string;
  readonly message: string;
}

/**
 * Tables and columns of the streams that the connected system does not have or that cannot serve as key or cursor; only of those
 * that are `checked`. None if the system cannot list its tables or cannot be reached: the next synchronization reports them.
 */
export async function streamFaults(
  parts: MappingParts,
  { scope }: MappedConnection,
  streams: readonly CustomStream[],
  checked: (stream: CustomStream) => boolean,
): Promise<StreamFault[]> {
  if (!streams.some(checked)) return [];
  const found = await withSystem(parts, scope, async (session) => {
    const catalog = session.driver.discover?.catalog;
    const faults: StreamFault[] = [];
    for (const [index, stream] of streams.entries())
      if (catalog && checked(stream))
        faults.push(
          ...(await faultsOf(parts, session, catalog, stream)).map((fault) => ({
            ...fault,
            field: `${index}.${fault.field}`,
          })),
        );
    return faults;
  }).catch(unlessAvailable);
  return found ?? [];
}

async function faultsOf(
  parts: MappingParts,
  session: DriverSession,
  catalog: SystemCatalog,
  stream: CustomStream,
): Promise<StreamFault[]> {
  const { name, key, cursor } = stream;
  const columns = await columnsOf(session, catalog, name);
  if (!columns) return [{ field: 'name', message: await unknownTable(session, catalog, name) }];
  const names = columns.map((column) => column.name);
  const unknown = (field: string, column: string) =>
    names.includes(column)
      ? []
      : [{ field, message: `${name} has no column "${column}"${others(nearest(column, names), names)}` }];
  const missing = [
    ...key.flatMap((column, index) => unknown(`key.${index}`, column)),
    ...(cursor === undefined ? [] : unknown('cursor', cursor)),
  ];
  return missing.length > 0 ? missing : refusals(parts, session, stream);
}

/** Why the system cannot read existing columns as the key or cursor, such as a type that does not increase. */
async function refusals(
  { systems }: MappingParts,
  { model, settings, host, quota }: DriverSession,
  custom: CustomStream,
): Promise<StreamFault[]> {
  const platform = platformOfModel(model);
  const stream = tableStream(platform, custom);
  if (!stream) return [];
  const driver = systems.openDriver({ ...platform, streams: [stream], mappings: {} }, settings, host);
  const look = (field: string, call: () => Promise<unknown> | undefined) =>
    quota
      .run('read', async () => void (await call()))
      .then(() => [])
      .catch((error: unknown) => {
        if (error instanceof SystemError && error.kind === 'rejected') return [{ field, message: error.words }];
        throw error;
      });
  try {
    const inKey = await look('key', () => driver.discover?.columns(stream));
    const inCursor = stream.cursor === undefined ? [] : await look('cursor', () => driver.changes?.mark(stream));
    return [...inKey, ...inCursor];
  } finally {
    await driver.close();
  }
}

async function unknownTable({ quota }: DriverSession, catalog: SystemCatalog, name: string): Promise<string> {
  const { items } = await quota.run('read', () => catalog.tables({ from: null }));
  const names = items.map((table) => table.name);
  // They are listed with their schema, which those of the default schema do not need.
  const unqualified = names.map((each) => [each.split('.').at(-1) ?? each, each] as const);
  const byName = new Map([...unqualified, ...names.map((each) => [each, each] as const)]);
  const meant = byName.get(nearest(name, [...byName.keys()]) ?? '');
  return `the connected system has no table "${name}" that its login can read${others(meant, names)}`;
}

/** Maximum number of names in a message. */
const MOST = 100;

/** What was probably meant, and what exists. */
function others(meant: string | undefined, names: readonly string[]): string {
  const question = meant === undefined ? '.' : `. Did you mean "${meant}"?`;
  const shown = names.slice(0, MOST).join(', ');
  return `${question} It has ${shown || 'none'}${names.length > MOST ? ', …' : ''}`;
}
