import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataPrefix } from '@unified/contract';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { descendantsOf, parsed } from './test/syntax.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = globSync(['packages/*/src/**/*.{ts,tsx}', 'scripts/{connect,start}/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file) && !file.includes('/generated/'),
);

/** The string literals of a file that contain the version segment. */
function spelledIn(file: string): string[] {
  return descendantsOf(parsed(join(root, file))).flatMap((node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    const isSpelled = isText || ts.isRegularExpressionLiteral(node);
    return isSpelled && node.text.includes(dataPrefix) ? [`${file}: ${node.text}`] : [];
  });
}

it('addresses come from the contract: no file contains the version segment', () => {
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter((file) => file.endsWith('.tsx')).length).toBeGreaterThan(50);
  expect(sources.flatMap(spelledIn)).toEqual([]);
});
