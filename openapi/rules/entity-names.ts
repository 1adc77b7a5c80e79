import { entitiesOf } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';

/** `EntityName` lists the entities of the document that have records: all except views, each once, in alphabetical order. */
export const entityNames: Rule = () => {
  let names: readonly string[] = [];
  return {
    Paths(paths, context) {
      const entities = [...entitiesOf(context, { node: paths, location: context.location }).values()];
      const stored = entities.filter(({ schema }) => !('x-view' in schema.node));
      names = [...new Set(stored.map(({ name }) => name))].sort();
    },
    Schema(schema, context) {
      if (context.location.pointer.endsWith('/EntityName')) check(schema, names, context);
    },
  };
};

function check(schema: Node, names: readonly string[], { report, location }: Context): void {
  const listed: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const at = { location: location.child(['enum']) };
  const missing = names.filter((name) => !listed.includes(name));
  const unknown = listed.filter((name) => !names.includes(String(name)));
  for (const name of missing) report({ message: `\`${name}\` is missing. Run \`npm run entities\`.`, ...at });
  for (const name of unknown) report({ message: `\`${String(name)}\` is not an entity with records.`, ...at });
  if (missing.length + unknown.length === 0 && listed.join() !== names.join())
    report({ message: 'names must be listed once, in alphabetical order.', ...at });
}
