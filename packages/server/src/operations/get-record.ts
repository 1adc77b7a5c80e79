import { type ExpandParameters, parseExpand } from '../query/expand.ts';
import { parseFields } from '../query/fields.ts';
import type { DataContext } from './context.ts';
import { entityOfOperation, recordText } from './records.ts';
import { shaped } from './shape-records.ts';

interface Request {
  readonly path: { readonly id: string };
  readonly query: ExpandParameters & { readonly fields?: string };
}

/** Answers any get of one record. */
export async function getRecord({ path, query }: Request, context: DataContext) {
  const entity = entityOfOperation(context);
  const expansion = parseExpand(entity, query);
  const fields = parseFields(entity, query.fields, expansion);
  const text = await recordText(context.scope, entity, path.id);
  const data = await shaped(text, { expansion, fields }, context);
  return { status: 200, body: { json: `{"data":${data}}` } } as const;
}
