import { type Entity, entities, type Operation, operations, type Request } from '@unified/contract';
import type { Capability } from '@unified/engine';
import { entityIn } from '@unified/store';
import { everything } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import { canCall, narrowedEntity } from './token-limits.ts';

/** Returns the capabilities of the connected system for every entity of the document that the token gives access to. */
export async function listCapabilities(_request: Request<'listCapabilities'>, context: DataContext) {
  const { engine, scope, narrow } = context;
  const all = await engine.capabilities(scope);
  const visible = all.filter(({ entity }) => narrow(entityIn(scope, entity)));
  return { status: 200, body: { meta: {}, data: visible.map((each) => shown(each, context)) } } as const;
}

/** Returns the capabilities of the connected system for one entity. */
export async function getCapability({ path }: Request<'getCapability'>, context: DataContext) {
  const { engine, scope } = context;
  narrowedEntity(entityIn(scope, path.entity), context.narrow);
  return { status: 200, body: { data: shown(await engine.capability(scope, path.entity), context) } } as const;
}

/** Operations by the name of their entity. */
const byEntity: ReadonlyMap<string, readonly Operation[]> = Map.groupBy(operations, ({ entity = '' }) => entity);

/** The capability without the operations that the token cannot call, and without the fields that it does not give access to. */
function shown(capability: Capability, { scope, scopes, narrow }: DataContext): Capability {
  if (narrow === everything && scopes.includes('write')) return capability;
  const entity = narrowedEntity(entityIn(scope, capability.entity), narrow);
  const isVisible = (name: string) => !entity.isPartial || entity.field[name] !== undefined;
  const callable = addressing(entity).filter((each) => canCall(each, scopes, { scope, narrow }));
  const writeFields = capability.writeFields.filter(isVisible);
  const can = (wanted: Capability['operations'][number]) =>
    callable.some(({ kind }) => kind === wanted) && (wanted !== 'update' || writeFields.length > 0);
  const allowed = capability.operations.filter(can);
  const isWritten = allowed.some((each) => each === 'create' || each === 'update' || each === 'replace');
  return {
    ...capability,
    operations: allowed,
    actions: capability.actions.filter((name) => callable.some(({ action }) => action === name)),
    readFields: capability.readFields.filter(isVisible),
    writeFields: isWritten ? writeFields : [],
    requiredFields: isWritten ? capability.requiredFields.filter(isVisible) : [],
    allowedValues: isWritten ? capability.allowedValues.filter(({ field }) => isVisible(field)) : [],
    customFields: isVisible('customFields')
      ? capability.customFields.map((each) => ({ ...each, isWritable: each.isWritable && isWritten }))
      : [],
  };
}

/** The operations at the addresses of an entity and of its views. */
function addressing({ name }: Entity): readonly Operation[] {
  const views = Object.values(entities).filter(({ view }: Entity) => view?.some(({ entity }) => entity === name));
  return [name, ...views.map((view) => view.name)].flatMap((each) => byEntity.get(each) ?? []);
}
