import ts from 'typescript';
import { applied, type Edit, interfaceOf, member, members, parsed } from './source-edits.ts';

/**
 * Opens the enums of responses in the generated types: `'a' | 'b'` becomes `'a' | 'b' | (string & {})`, since a newer
 * server may return values that this release does not know. Enums of requests stay closed. A schema that is both sent
 * and returned gets a closed copy for requests, named `…Input`.
 */
export function openEnums(source: string): string {
  const file = parsed(source);
  const schemas = members(member(interfaceOf(file, 'components'), 'schemas'));
  const requests = requestNodes(file);
  const sent = reachable(requests, schemas);
  const returned = reachable(responseNodes(file), schemas);
  const copied = new Map<string, string>();
  for (const name of sent) {
    if (returned.has(name) && holdsEnum(name, schemas)) copied.set(name, copyName(name, schemas));
  }
  const sentOnly = [...sent].flatMap((name) => (returned.has(name) ? [] : (schemas.get(name) ?? [])));
  const opened = [...responseNodes(file), ...[...returned].flatMap((name) => schemas.get(name) ?? [])];
  return applied(source, [
    ...[...requests, ...sentOnly].flatMap((node) => renamings(node, copied)),
    ...opened.flatMap(openings),
    ...[...copied].flatMap(([name, copy]) => copyOf(source, schemas.get(name), name, copy, copied)),
  ]);
}

function requestNodes(file: ts.SourceFile): ts.Node[] {
  const components = interfaceOf(file, 'components');
  const shared = ['parameters', 'requestBodies'].map((part) => member(components, part));
  const ofPaths = [...members(interfaceOf(file, 'paths')).values()].map(({ type }) => member(type, 'parameters'));
  const ofOperations = [...members(interfaceOf(file, 'operations')).values()].flatMap(({ type }) => [
    member(type, 'parameters'),
    member(type, 'requestBody'),
  ]);
  return [...shared, ...ofPaths, ...ofOperations].filter((node) => node !== undefined);
}

function responseNodes(file: ts.SourceFile): ts.Node[] {
  const components = interfaceOf(file, 'components');
  const shared = ['responses', 'headers'].map((part) => member(components, part));
  const ofOperations = [...members(interfaceOf(file, 'operations')).values()].map(({ type }) =>
    member(type, 'responses'),
  );
  return [...shared, ...ofOperations].filter((node) => node !== undefined);
}

/** Names of the schemas that the nodes refer to, directly or through others. */
function reachable(nodes: readonly ts.Node[], schemas: ReadonlyMap<string, ts.Node>): Set<string> {
  const found = new Set<string>();
  const queue = [...nodes];
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const { name } of references(node)) {
      const schema = schemas.get(name);
      if (!schema || found.has(name)) continue;
      found.add(name);
      queue.push(schema);
    }
  }
  return found;
}

/** References such as `components["schemas"]["Vendor"]`, with the node of the quoted name. */
function references(root: ts.Node): { name: string; literal: ts.Node }[] {
  const found: { name: string; literal: ts.Node }[] = [];
  walk(root, (node) => {
    if (!ts.isIndexedAccessTypeNode(node) || !ts.isLiteralTypeNode(node.indexType)) return;
    const { literal } = node.indexType;
    if (ts.isStringLiteral(literal) && node.objectType.getText() === 'components["schemas"]') {
      found.push({ name: literal.text, literal });
    }
  });
  return found;
}

function holdsEnum(name: string, schemas: ReadonlyMap<string, ts.Node>): boolean {
  const start = schemas.get(name);
  const others = start ? [...reachable([start], schemas)].flatMap((each) => schemas.get(each) ?? []) : [];
  return [start, ...others].some((node) => node && enums(node).length > 0);
}

/** Unions of at least two string literals. A single literal is a constant that discriminates types, and is kept. */
function enums(root: ts.Node): ts.UnionTypeNode[] {
  const found: ts.UnionTypeNode[] = [];
  walk(root, (node) => {
    if (ts.isUnionTypeNode(node) && node.types.filter(isText).length > 1) found.push(node);
  });
  return found;
}

function isText(node: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal);
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

function copyName(name: string, schemas: ReadonlyMap<string, ts.Node>): string {
  return schemas.has(`${name}Input`) ? `${name}Sent` : `${name}Input`;
}

function renamings(node: ts.Node, copied: ReadonlyMap<string, string>): Edit[] {
  return references(node).flatMap(({ name, literal }) => {
    const copy = copied.get(name);
    return copy ? [{ from: literal.getStart(), to: literal.getEnd(), text: JSON.stringify(copy) }] : [];
  });
}

function openings(node: ts.Node): Edit[] {
  return enums(node).map((union) => ({ from: union.getEnd(), to: union.getEnd(), text: ' | (string & {})' }));
}

/** The closed copy of a schema, inserted after it with its comment. */
function copyOf(
  source: string,
  node: ts.PropertySignature | undefined,
  name: string,
  copy: string,
  copied: ReadonlyMap<string, string>,
): Edit[] {
  if (!node) throw new Error(`There is no schema ${name}.`);
  const start = node.getFullStart();
  const renamed = [
    ...renamings(node, copied),
    { from: node.name.getStart(), to: node.name.getEnd(), text: JSON.stringify(copy) },
  ].map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
  return [{ from: node.getEnd(), to: node.getEnd(), text: applied(source.slice(start, node.getEnd()), renamed) }];
}
