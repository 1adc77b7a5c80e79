import { type CustomStream, type MappingChange, type Platform, revisePlatform } from '@unified/connectors';
import {
  type ActivatedRevision,
  type ActiveFieldMapping,
  activeFieldMappings,
  type Connection,
  customStreamsOf,
  type Scope,
  type Store,
} from '@unified/store';
import { type ConnectionModel, modelOfPlatform } from './connection-model.ts';

/** The changes that a connection makes to the model of its platform. */
export interface ModelChanges {
  readonly custom: readonly CustomStream[];
  readonly active: readonly ActiveFieldMapping[];
}

/** The active changes of a connection. */
export async function modelChanges(scope: Scope): Promise<ModelChanges> {
  return { custom: await customStreamsOf(scope), active: await activeFieldMappings(scope) };
}

/** The model of a platform after these changes. Mappings that can no longer be used are in `broken`. */
export function changedModel(platform: Platform, { custom, active }: ModelChanges): ConnectionModel {
  const { mappings, ...rest } = revisedBy(platform, custom, active);
  const revisions = Object.fromEntries(active.map(({ entity, revision }) => [entity, revision]));
  const before = active.flatMap((each) => (each.before ? { entity: each.entity, ...each.before } : []));
  return modelOfPlatform(
    { ...rest, mappings },
    { revisions, earlier: () => revisedBy(platform, custom, before).mappings },
  );
}

type Activated = ActivatedRevision & Pick<ActiveFieldMapping, 'entity'>;

function revisedBy(platform: Platform, custom: ModelChanges['custom'], activated: readonly Activated[]): Platform {
  const revised = activated.flatMap(({ entity, revision, change }) =>
    // The change was checked when it was saved.
    revision === 0 ? [] : { entity, file: `revision ${revision} of ${entity}`, change: change as MappingChange },
  );
  const { mappings, ...rest } = revisePlatform(platform, custom, revised);
  return { ...rest, mappings: byActivation(mappings, activated) };
}

/**
 * The mappings, with hashes that differ for every activation. While a mapping was active, even briefly, it may have been used
 * to store records. If another mapping is activated again, its records must therefore be derived again.
 */
function byActivation(mappings: Platform['mappings'], active: readonly Activated[]): Platform['mappings'] {
  const revised = active.flatMap(({ entity, version }) => {
    const mapping = Object.hasOwn(mappings, entity) ? mappings[entity] : undefined;
    return mapping && version !== null ? [[entity, { ...mapping, hash: `${mapping.hash}:${version}` }] as const] : [];
  });
  return { ...mappings, ...Object.fromEntries(revised) };
}

/** Maximum number of compiled models to keep per platform. */
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
