import type { Request } from '@unified/contract';
import type { Capability } from '@unified/engine';
import { entityIn } from '@unified/store';
import type { DataContext } from './context.ts';
import { narrowedEntity } from './token-limits.ts';

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

/** The capability without the fields that the token gives no access to. */
function shown(capability: Capability, { scope, narrow }: DataContext): Capability {
  const entity = narrowedEntity(entityIn(scope, capability.entity), narrow);
  if (!entity.isPartial) return capability;
  const isVisible = (name: string) => entity.field[name] !== undefined;
  return {
    ...capability,
    readFields: capability.readFields.filter(isVisible),
    writeFields: capability.writeFields.filter(isVisible),
    requiredFields: capability.requiredFields.filter(isVisible),
    customFields: isVisible('customFields') ? capability.customFields : [],
  };
}
