import ts from 'typescript';

/** A change of the source text: `text` replaces the text between two positions. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function parsed(source: string): ts.SourceFile {
  return ts.createSourceFile('types.ts', source, ts.ScriptTarget.Latest, true);
}

/** Applies edits that do not overlap. Insertions at one position keep their order. */
export function applied(source: string, edits: readonly Edit[]): string {
  const lastFirst = edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => b.from - a.from || b.order - a.order);
  return lastFirst.reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), source);
}

export function interfaceOf(file: ts.SourceFile, name: string): ts.InterfaceDeclaration | undefined {
  return file.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  );
}

type Holder = ts.InterfaceDeclaration | ts.TypeNode | undefined;

/** Properties of an interface or an object type, by name. */
export function members(holder: Holder): Map<string, ts.PropertySignature> {
  const list: readonly ts.TypeElement[] =
    holder && (ts.isInterfaceDeclaration(holder) || ts.isTypeLiteralNode(holder)) ? holder.members : [];
  const found = list.filter((node) => ts.isPropertySignature(node));
  return new Map(found.map((property) => [nameOf(property), property]));
}

export function member(holder: Holder, name: string): ts.TypeNode | undefined {
  return members(holder).get(name)?.type;
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : '';
}
