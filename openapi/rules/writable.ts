import { eachOperation, type Operation } from './operations.ts';
import { go, type Place } from './place.ts';
import type { Context, Rule } from './redocly.ts';
import { isClosed, propertiesOf } from './schema.ts';

/** A request body is a closed subset of the returned record, without read-only fields, and the same for create and update. */
export const writable: Rule = () => {
  const sent = new Map<string, readonly string[]>();
  return eachOperation((operation, context) => {
    if (!operation.entity || !isWrite(operation)) return;
    const body = go(context, operation.at, 'requestBody', 'content', 'application/json', 'schema');
    if (!body) return;
    const { name } = operation.entity;
    checkBody(operation, body, context);
    const properties = [...propertiesOf(context, body).keys()].sort();
    const before = sent.get(name);
    sent.set(name, before ?? properties);
    if (before && before.join() !== properties.join())
      operation.report(
        `all bodies of ${name} must have the same properties; these differ: ${difference(before, properties)}.`,
        'requestBody',
      );
  });
};

/** A PUT on a collection is a legacy form that identifies the record in its body. */
function isWrite({ shape, method }: Operation): boolean {
  return shape === 'item' || (shape === 'collection' && method === 'post');
}

function checkBody({ entity, report }: Operation, body: Place, context: Context): void {
  const returned = propertiesOf(context, entity?.schema);
  if (!isClosed(context, body)) report('the body must have `unevaluatedProperties: false`.', 'requestBody');
  for (const [name, property] of propertiesOf(context, body)) {
    const target = go(context, property);
    if (!returned.has(name) && target?.node.writeOnly !== true)
      report(`${entity?.name} has no \`${name}\`.`, 'requestBody');
    if (target?.node.readOnly === true) report(`\`${name}\` is read-only and cannot be sent.`, 'requestBody');
  }
}

function difference(a: readonly string[], b: readonly string[]): string {
  return [...a.filter((name) => !b.includes(name)), ...b.filter((name) => !a.includes(name))].join(', ');
}
