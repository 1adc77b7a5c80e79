import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The syntax tree of a file, or of a text as if it were that file. */
export function parsed(file: string, text: string = readFileSync(file, 'utf8')): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** A node and all nodes below it, in the order of the text. */
export function descendantsOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (each: ts.Node): void => {
    found.push(each);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}
