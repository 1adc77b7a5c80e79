import type { MappingDefinition } from './definition.ts';

/** Parts of a mapping besides its entity, stream and fields, by their keywords. */
export const MAPPING_PARTS = [
  ...(['where', 'deleted', 'display', 'created', 'updated'] as const),
  ...(['customFields', 'writes', 'onCreate', 'onWrite', 'actions', 'touches'] as const),
];

/** What a connection changes in the mapping of its platform. Null if it leaves out the mapping of the platform. */
export interface MappingChange {
  /** Defaults to the stream of the platform. */
  readonly stream?: string | undefined;
  /** Words by field. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** By keyword; see `MAPPING_PARTS`. */
  readonly parts?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The definition of a mapping with the changes of a connection, to be compiled. Parts that the change omits are taken from
 * `own`, the mapping of the platform, unless the change reads a different stream, whose columns have other names.
 */
export function revisedDefinition(
  entity: string,
  own: MappingDefinition | undefined,
  { stream, fields, parts = {} }: MappingChange,
): Readonly<Record<string, unknown>> {
  const kept = stream === undefined || stream === own?.stream ? own : undefined;
  const { entity: _, stream: __, fields: ownFields = {}, ...ownParts } = kept ?? {};
  const from = stream ?? own?.stream;
  return {
    entity,
    ...(from !== undefined && { stream: from }),
    ...merged(ownParts, parts),
    fields: merged(ownFields, fields),
  };
}

function merged(own: object, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...own, ...changes }).filter(([, value]) => value !== null));
}
