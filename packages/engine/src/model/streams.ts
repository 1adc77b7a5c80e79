import type { Platform, Stream } from '@unified/connectors';

/** The stream that an entity lives in; undefined: the system does not have it. */
export function streamOf({ streams, mappings }: Platform, entity: string): Stream | undefined {
  const name = Object.hasOwn(mappings, entity) ? mappings[entity]?.stream : undefined;
  return streams.find((stream) => stream.name === name);
}

/** Names of the streams that these entities live in, each once. */
export function streamsFor(platform: Platform, entities: readonly string[]): string[] {
  return [...new Set(entities.flatMap((entity) => streamOf(platform, entity)?.name ?? []))];
}
