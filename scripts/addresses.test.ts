import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataPrefix } from '@unified/contract';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = globSync(['packages/*/src/**/*.{ts,tsx}', 'scripts/{connect,start}/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file) && !file.includes('/generated/'),
);

/** The string literals of a file that contain the version segment. */
function spelledIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const walk = (node: ts.Node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    const isSpelled = isText || ts.isRegularExpressionLiteral(node);
    if (isSpelled && node.text.includes(dataPrefix)) found.push(`${file}: ${node.text}`);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

it('addresses come from the contract: no file contains the version segment', () => {
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter((file) => file.endsWith('.tsx')).length).toBeGreaterThan(50);
  expect(sources.flatMap(spelledIn)).toEqual([]);
});
