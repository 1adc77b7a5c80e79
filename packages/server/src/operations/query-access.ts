import { type Entity, entities } from '@unified/contract';
import type { TokenAccess } from '@unified/store';
import { tools } from '../mcp/catalog/tools.ts';
import { foldTool } from '../mcp/policy/fold-policy.ts';
import { type Mask, visibleFields } from '../mcp/policy/mask.ts';
import type { Policy } from '../mcp/policy/policy.ts';
import { withholding } from '../query/token-access.ts';

const listTools = new Map(
  tools.filter(({ operation }) => operation.kind === 'list').map((tool) => [tool.entity, tool] as const),
);

/**
 * What a query on a platform can read: the entities whose records the user can list, without the masked fields. An entity that
 * can be listed only with an approval, or under a condition on arguments, is left out: a statement has no such arguments.
 */
export function queryAccess(policy: Policy & { readonly mask: Mask }, platform: string): TokenAccess {
  const isListed = ({ name }: Entity) => {
    const tool = listTools.get(name);
    const folded = tool && foldTool(policy, { ...tool, platform });
    return folded?.effect === 'allow' && folded.conditions.length === 0;
  };
  return withholding(
    Object.values(entities)
      .filter(isListed)
      .map((entity: Entity) => visibleFields(entity, policy.mask)),
  );
}
