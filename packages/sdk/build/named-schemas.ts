import ts from 'typescript';
import { applied, interfaceOf, member, members, parsed } from './source-edits.ts';

/**
 * Declares the schemas that requests contain as separate interfaces, because errors and editors show the name of an interface,
 * such as `RelationInput`, but all properties of an object type. If a schema allows null, its interface does not.
 */
export function namedSchemas(source: string, isNamed: (name: string) => boolean): string {
  const schemas = members(member(interfaceOf(parsed(source), 'components'), 'schemas'));
  const named = [...schemas].flatMap(([name, { type }]) => {
    const objects = type && ts.isUnionTypeNode(type) ? type.types : [type];
    const [object, ...others] = objects.filter((each) => each && ts.isTypeLiteralNode(each));
    return object && others.length === 0 && isNamed(name) ? [{ name, type: object }] : [];
  });
  const edits = named.map(({ name, type }) => ({ from: type.getStart(), to: type.getEnd(), text: name }));
  const declarations = named.map(({ name, type }) => `export interface ${name} ${type.getText()}\n`);
  return `${applied(source, edits)}${declarations.join('')}`;
}
