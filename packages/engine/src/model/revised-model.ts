import { type CustomStream, type MappingChange, type Platform, revisePlatform } from '@unified/connectors';
import {
  type ActiveFieldMapping,
  activeFieldMappings,
  type Connection,
  customStreamsOf,
  type Scope,
  type Store,
} from '@unified/store';
import { type ConnectionModel, modelOfPlatform } from './connection-model.ts';

/** What a connection changes in the model of its platform. */
export interface ModelChanges {
  readonly custom: readonly CustomStream[];
  readonly active: readonly ActiveFieldMapping[];
}

/** The active changes of a connection. */
export async function modelChanges(scope: Scope): Promise<ModelChanges> {
  return { custom: await customStreamsOf(scope), active: await activeFieldMappings(scope) };
}

/** The model of a platform with these changes. Mappings that can no longer be used are in `broken`. */
export function changedModel(platform: Platform, { custom, active }: ModelChanges): ConnectionModel {
  const revised = active.flatMap(({ entity, revision, change }) =>
    // It was checked when it was saved.
    revision === 0 ? [] : { entity, file: `revision ${revision} of ${entity}`, change: change as MappingChange },
  );
  const { mappings, ...rest } = revisePlatform(platform, custom, revised);
  const revisions = Object.fromEntries(active.map(({ entity, revision }) => [entity, revision]));
  return modelOfPlatform({ ...rest, mappings: byActivation(mappings, active) }, revisions);
}

/**
 * The mappings with hashes that differ for every activation: while a mapping was active, even for a short time, records may have
 * been stored by it, so that those of the mapping that is activated again must be derived again.
 */
function byActivation(mappings: Platform['mappings'], active: ModelChanges['active']): Platform['mappings'] {
  const revised = active.flatMap(({ entity, version }) => {
    const mapping = Object.hasOwn(mappings, entity) ? mappings[entity] : undefined;
    return mapping ? [[entity, { ...mapping, hash: `${mapping.hash}:${version}` }] as const] : [];
  });
  return { ...mappings, ...Object.fromEntries(revised) };
}

/** Compiled models of connections that are kept, per platform. */
const MOST = 500;

interface Kept {
  readonly version: number;
  readonly model: Promise<ConnectionModel>;
}

const kept = new WeakMap<Platform, Map<string, Kept>>();

/** The model of a connection whose mappings or streams differ from those of its platform; compiled once per version. */
export function revisedModel(
  store: Store,
  platform: Platform,
  { id, applicationId, mappingVersion }: Pick<Connection, 'id' | 'applicationId' | 'mappingVersion'>,
): Promise<ConnectionModel> {
  const models = kept.get(platform) ?? new Map<string, Kept>();
  kept.set(platform, models);
  const known = models.get(id);
  if (known?.version === mappingVersion) return known.model;
  const scope = store.scope({ applicationId, connectionId: id });
  const model = modelChanges(scope).then((changes) => changedModel(platform, changes));
  models.delete(id);
  models.set(id, { version: mappingVersion, model });
  model.catch(() => models.delete(id));
  const [oldest] = models.size > MOST ? models.keys() : [];
  if (oldest !== undefined) models.delete(oldest);
  return model;
}
