import { ServiceError } from '@unified/contract';
import { parseExpand } from '../query/expand.ts';
import type { Context } from './context.ts';
import { expandRecords } from './expand-records.ts';
import { entityOfOperation, recordText } from './records.ts';

interface Request {
  readonly path: { readonly id: string };
  readonly query: { readonly expand?: string; readonly extend?: string };
}

/** Answers any get of one record. */
export async function getRecord({ path, query }: Request, context: Context) {
  const entity = entityOfOperation(context);
  if (query.expand !== undefined && query.extend !== undefined) {
    const message = 'extend is another name of expand. Send one of them.';
    throw new ServiceError('SERVICE_INVALID_EXPAND', message, { details: [{ path: 'query/extend', message }] });
  }
  const expansion = parseExpand(entity, query.expand ?? query.extend);
  const text = await recordText(context.scope, entity, path.id);
  if (expansion.size === 0) return { status: 200, body: { json: `{"data":${text}}` } };
  const data = JSON.parse(text);
  await expandRecords(context, [data], expansion);
  return { status: 200, body: { json: JSON.stringify({ data }) } };
}
