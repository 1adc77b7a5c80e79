import type { CompiledMapping, Json, MissingColumn, Platform, Stream } from '@unified/connectors';

/** What is kept of a stream from pass to pass. */
export interface StreamMemory {
  /** The driver's high-water mark of the last finished pass; null before the first. */
  readonly mark: Json | null;
  /** When a full pass ended last, RFC 3339. */
  readonly fullAt: string | null;
  /** Hashes of the mappings that the records were derived with, by entity. */
  readonly mappings: Readonly<Record<string, string>>;
  /** Hashes of the mappings whose paths were compared with the columns of the stream last, by entity. */
  readonly compared: Readonly<Record<string, string>>;
  /** Paths of these mappings that lead to no column. */
  readonly missing: readonly MissingColumn[];
}

const nothing: StreamMemory = { mark: null, fullAt: null, mappings: {}, compared: {}, missing: [] };

/** What `cursor` of a sync state holds. */
export function memoryOf(cursor: unknown): StreamMemory {
  return typeof cursor === 'object' && cursor !== null ? { ...nothing, ...cursor } : nothing;
}

/** The mappings that read from a stream. */
export function mappingsOf(platform: Platform, stream: Pick<Stream, 'name'>): CompiledMapping[] {
  return Object.values(platform.mappings).filter((mapping) => mapping.stream === stream.name);
}

/** Their hashes, by entity. */
export function mappingHashes(platform: Platform, stream: Stream): Record<string, string> {
  return Object.fromEntries(mappingsOf(platform, stream).map(({ entity, hash }) => [entity, hash]));
}

/** Whether all mappings of a stream are those that were noted. */
export function areNoted(hashes: Readonly<Record<string, string>>, noted: StreamMemory['mappings']): boolean {
  return Object.entries(hashes).every(([entity, hash]) => noted[entity] === hash);
}
