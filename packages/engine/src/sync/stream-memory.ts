import type { Json, Platform, Stream } from '@unified/connectors';

/** What is kept of a stream from pass to pass. */
export interface StreamMemory {
  /** The driver's high-water mark of the last finished pass; null before the first. */
  readonly mark: Json | null;
  /** When a full pass ended last, RFC 3339. */
  readonly fullAt: string | null;
  /** Hashes of the mappings that the records were derived with, by entity. */
  readonly mappings: Readonly<Record<string, string>>;
}

const nothing: StreamMemory = { mark: null, fullAt: null, mappings: {} };

/** What `cursor` of a sync state holds. */
export function memoryOf(cursor: unknown): StreamMemory {
  return typeof cursor === 'object' && cursor !== null ? { ...nothing, ...cursor } : nothing;
}

/** Hashes of the mappings that read from a stream now. */
export function mappingHashes(platform: Platform, stream: Stream): Record<string, string> {
  const reading = Object.values(platform.mappings).filter((mapping) => mapping.stream === stream.name);
  return Object.fromEntries(reading.map(({ entity, hash }) => [entity, hash]));
}
