import { eachOperation, type Operation } from './operations.ts';
import { go, isNode, type Place } from './place.ts';
import type { Context, Rule } from './redocly.ts';
import { propertiesOf } from './schema.ts';

/** A body that is sent to the address of a view takes only the value that the records of the view have. */
export const viewBody: Rule = () =>
  eachOperation((operation, context) => {
    const body = go(context, operation.at, 'requestBody', 'content', 'application/json', 'schema');
    const [member, ...others] = membersOf(operation.entity?.schema);
    if (!body || !member || others.length > 0) return;
    for (const [field, value] of Object.entries(member)) checkField(operation, context, { body, field, value });
  });

/** The `where` of each member of a view. */
function membersOf(schema: Place | undefined): readonly Record<string, unknown>[] {
  const view = schema?.node['x-view'];
  return Array.isArray(view)
    ? view.flatMap((member) => (isNode(member) && isNode(member.where) ? [member.where] : []))
    : [];
}

function checkField(
  { report }: Operation,
  context: Context,
  { body, field, value }: { readonly body: Place; readonly field: string; readonly value: unknown },
): void {
  const allowed = go(context, propertiesOf(context, body).get(field))?.node.enum;
  if (Array.isArray(allowed) && allowed.length === 1 && allowed[0] === value) return;
  report(`\`${field}\` of the body must allow only the value \`${String(value)}\`.`, 'requestBody');
}
