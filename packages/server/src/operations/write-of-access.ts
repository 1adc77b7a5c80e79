import { type Operation, operations } from '@unified/contract';
import type { AccessRequest } from '@unified/store';
import { accessOf } from '../mcp/policy/mask.ts';
import { visibleValue } from '../mcp/results/foreign-text.ts';
import type { McpContext } from './context.ts';
import { connectionTo, ownPolicy } from './mcp-user-policy.ts';

const GET_WRITE: Operation | undefined = operations.find(({ id }) => id === 'getWrite');

/** The write record of an access request that was executed, as its user may see it; null if there is none. */
export async function writeOf(context: McpContext, { platform, writeId }: AccessRequest): Promise<unknown> {
  const policy = await ownPolicy(context);
  const connection = connectionTo(policy, platform);
  if (writeId === null || !connection || !GET_WRITE) return null;
  const request = { params: { writeId }, queryText: '', body: undefined };
  const call = { operation: GET_WRITE, ...connection, request, access: accessOf(policy.mask) };
  return visibleValue((await context.run(call)).body);
}
