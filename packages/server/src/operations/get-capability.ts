import { type Request, ServiceError } from '@unified/contract';
import type { Context } from './context.ts';

/** Answers with what the connected system can do with one kind of record. */
export async function getCapability({ path }: Request<'getCapability'>, { engine, scope }: Context) {
  const data = (await engine.capabilities(scope)).find(({ entity }) => entity === path.entity);
  if (data) return { status: 200, body: { data } } as const;
  const message = `There is no entity "${path.entity}". Name it as references do in rel, for example PurchaseOrder.`;
  throw new ServiceError('SERVICE_NOT_FOUND', message);
}
