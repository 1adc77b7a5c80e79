import { type Stream, SystemError } from '@unified/connectors';
import { type Entity, ServiceError } from '@unified/contract';
import { type ByteRange, type ContentDigest, findContent, openContent, type Scope } from '@unified/store';
import { streamOf } from '../model/connection-model.ts';
import type { DriverPool, DriverSession } from './driver-pool.ts';
import { failureOf } from './system-failure.ts';

/** What says which file a record has. */
export interface FileOf {
  /** Checksum of the file, hexadecimal; null when the connected system tells none. */
  readonly sha256: string | null;
  readonly _idValue: string;
}

/** A file, and a way to read a part of it. */
export interface OpenFile extends ContentDigest {
  open(range: ByteRange): AsyncIterable<Uint8Array>;
}

/**
 * The file of a record: what is kept here, otherwise what the connected system has; undefined when there is none. Throws
 * the `ServiceError` of a system that does not answer.
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
    // The bytes are asked for later, when the session of now may be closed.
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
  if (!driver.contents) throw new Error('A system that kept files keeps none any more.');
  return driver.contents.read(stream, key, range);
}
