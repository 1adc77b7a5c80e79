import type { CompiledMapping, Platform, Stream } from '@unified/connectors';
import type { Entity } from '@unified/contract';
import type { Scope } from '@unified/store';

/** A platform without its mappings, which belong to the model of a connection. */
export type PlatformFacts = Omit<Platform, 'mappings' | 'broken'>;

/** How rows of one connection become records and back. Connections of one platform may have different models. */
export interface ConnectionModel {
  readonly platform: PlatformFacts;
  /** By entity name. An entity that the system does not have, or whose mapping cannot be used, is absent. */
  readonly mappings: Platform['mappings'];
  /** Mappings that cannot be used. */
  readonly broken: Platform['broken'];
  /** Active revisions of the mappings that the connection has changed, by entity; all others are at revision 0. */
  readonly revisions: Readonly<Record<string, number>>;
  /**
   * Compiles the mappings that were active immediately before the active ones, by entity. One that is not known, or cannot be
   * used, is absent.
   */
  earlier(): Platform['mappings'];
}

/** The model of a platform, by default with the mappings that it ships. */
export function modelOfPlatform(
  { mappings, broken, ...platform }: Platform,
  { revisions = {}, earlier = () => ({}) }: Partial<Pick<ConnectionModel, 'revisions' | 'earlier'>> = {},
): ConnectionModel {
  return { platform, mappings, broken, revisions, earlier };
}

/** The platform with the mappings of a model, for opening drivers. */
export function platformOfModel({ platform, mappings, broken }: ConnectionModel): Platform {
  return { ...platform, mappings, broken };
}

/** The stream of an entity; undefined if the system does not have the entity. */
export function streamOf({ platform, mappings }: ConnectionModel, entity: string): Stream | undefined {
  const name = Object.hasOwn(mappings, entity) ? mappings[entity]?.stream : undefined;
  return platform.streams.find((stream) => stream.name === name);
}

/** Names of the streams of these entities, without duplicates. */
export function streamsFor(model: ConnectionModel, entities: readonly string[]): string[] {
  return [...new Set(entities.flatMap((entity) => streamOf(model, entity)?.name ?? []))];
}

/** The mappings that read from a stream. */
export function mappingsOf({ mappings }: ConnectionModel, stream: string): CompiledMapping[] {
  return Object.values(mappings).filter((mapping) => mapping.stream === stream);
}

/** The entities that are read from a stream, each with its mapping. */
export function entitiesOf(
  { entities }: Pick<Scope, 'entities'>,
  model: ConnectionModel,
  stream: string,
): { mapping: CompiledMapping; entity: Entity }[] {
  return mappingsOf(model, stream).flatMap((mapping) => {
    const entity = entities[mapping.entity];
    return entity ? [{ mapping, entity }] : [];
  });
}
