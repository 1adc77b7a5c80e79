import { eachOperation, type Operation } from './operations.ts';
import { go, isNode } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';
import { propertiesOf } from './schema.ts';

/** `x-transition: { from: [...], to: ... }` belongs to actions and names values of the record's `statusCategory`. */
export const transition: Rule = () =>
  eachOperation((operation, context) => {
    const said = operation.at.node['x-transition'];
    if (said === undefined) return;
    if (operation.shape !== 'action') operation.report('only an action can have `x-transition`.', 'x-transition');
    else if (isNode(said)) checkTransition(operation, said, context);
  });

function checkTransition(operation: Operation, { from = [], to, ...others }: Node, context: Context): void {
  const { report } = operation;
  for (const word of Object.keys(others))
    report(`\`x-transition\` has \`from\` and \`to\`, not \`${word}\`.`, 'x-transition');
  if (!Array.isArray(from)) report('`x-transition.from` must be a list.', 'x-transition');
  const categories = categoriesOf(operation, context);
  const named = [...(Array.isArray(from) ? from : []), ...(to === undefined ? [] : [to])];
  for (const name of named.filter((each) => !categories.includes(each)))
    report(`\`${String(name)}\` is not a \`statusCategory\` of the record.`, 'x-transition');
}

function categoriesOf({ entity }: Operation, context: Context): readonly unknown[] {
  const property = go(context, propertiesOf(context, entity?.schema).get('statusCategory'));
  const branches = Array.isArray(property?.node.anyOf)
    ? property.node.anyOf.map((_, i) => go(context, property, 'anyOf', i))
    : [];
  return [property, ...branches].flatMap((place) => (Array.isArray(place?.node.enum) ? place.node.enum : []));
}
