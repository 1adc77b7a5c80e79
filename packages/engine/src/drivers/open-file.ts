import { type Stream, SystemError } from '@unified/connectors';
import { type Entity, ServiceError } from '@unified/contract';
import { type ByteRange, type ContentDigest, findContent, openContent, type Scope } from '@unified/store';
import { streamOf } from '../model/connection-model.ts';
import type { DriverPool, DriverSession } from './driver-pool.ts';
import { failureOf } from './system-failure.ts';

/** The properties of a record that identify its file. */
export interface FileOf {
  /** SHA-256 of the file, hexadecimal; null if the connected system has none. */
  readonly sha256: string | null;
  readonly _idValue: string;
}

/** A file that can be read in parts. */
export interface OpenFile extends ContentDigest {
  open(range: ByteRange): AsyncIterable<Uint8Array>;
}

/**
 * The file of a record: the one stored here, otherwise the one in the connected system; undefined if there is none. Throws a
 * `ServiceError` if the system is not available.
 */
export async function openFile(
  drivers: DriverPool,
  scope: Scope,
  entity: Entity,
  record: FileOf,
): Promise<OpenFile | undefined> {
  const content = record.sha256 === null ? undefined : await findContent(scope, record.sha256);
  if (content) return { ...content, open: (range) => openContent(scope, content, range) };
  return drivers.withDriver(scope.connectionId, (session) => fileInSystem(drivers, session, entity, record));
}

async function fileInSystem(
  drivers: DriverPool,
  { connectionId, driver, model, quota }: DriverSession,
  entity: Entity,
  { _idValue: key }: FileOf,
): Promise<OpenFile | undefined> {
  const stream = streamOf(model, entity.name);
  const { contents } = driver;
  if (!stream || !contents) return undefined;
  try {
    const content = await quota.run('read', () => contents.find(stream, key));
    if (!content) return undefined;
    // The bytes are read later, when the driver may already have been closed.
    return {
      ...content,
      open: (range) => drivers.readWithDriver(connectionId, (later) => bytes(later, stream, key, range)),
    };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const { code, message, details } = failureOf(error);
    throw new ServiceError(code, message, { details, cause: error });
  }
}

function bytes({ driver }: DriverSession, stream: Stream, key: string, range: ByteRange): AsyncIterable<Uint8Array> {
  if (!driver.contents) throw new Error('A system that stored files no longer does.');
  return driver.contents.read(stream, key, range);
}
