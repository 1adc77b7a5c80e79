import type { Request } from '@unified/contract';
import { type Connection, pageOfConnections } from '@unified/store';
import type { ManagementContext } from './context.ts';
import { createEmbedSession } from './manage-embed.ts';
import { once } from './once.ts';

/** The platforms that `listPlatforms` returns. */
export async function compatListPlatforms(_request: unknown, { platforms }: ManagementContext) {
  const data = platforms().map(({ id, name }) => ({ id, name }));
  return { status: 200, body: { meta: {}, data } } as const;
}

/** All connections that `listConnections` returns, in one response. */
export async function compatListConnections(_request: unknown, { application }: ManagementContext) {
  const connections = await pageOfConnections(application, {});
  return { status: 200, body: { meta: {}, data: connections.map(described) } } as const;
}

/** Checks the system as `createConnection` does. */
export async function compatCreateConnection(request: Request<'compatCreateConnection'>, context: ManagementContext) {
  return once(request, context, async () => ({ data: described(await context.connections.create(request.body)) }));
}

/** Creates a session as `createEmbedSession` does, and returns only its address. */
export async function compatCreateEmbedSession(
  { path, query, headers, body }: Request<'compatCreateEmbedSession'>,
  context: ManagementContext,
) {
  const response = await createEmbedSession({ path, query, headers, body }, context);
  return { ...response, body: { data: { url: response.body.data.url } } };
}

function described({ id, platform, status }: Connection) {
  return { id, platform, status };
}
