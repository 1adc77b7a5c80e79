import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { descendantsOf, parsed } from './test/syntax.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Files of the sandbox are named after parts of the company, so their names may equal those of parts of the service. */
const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root, exclude: ['packages/sandbox/**'] });

/** Names that only insiders understood; each was replaced by a standard term. */
const FORMER = new Set([
  ...['Lent', 'Lane', 'Heads', 'Alarm', 'World', 'Baseline', 'Yardstick', 'Answer', 'Proof'],
  ...['admit', 'tell', 'lend', 'surface', 'answer', 'alarm', 'lane', 'heads', 'link', 'world', 'baseline', 'yardstick'],
  ...['prove', 'lookAt'],
]);

/** Of these, words that a local value may still have as its name: a link of a page, the answer of a system. */
const USUAL = new Set(['link', 'answer', 'surface']);

/** Names that had several meanings. */
const ONCE = ['Place', 'Link', 'Intent'];

/** Names of the functions, classes, interfaces and types that a file declares. */
function declaredIn(file: string): string[] {
  return parsed(join(root, file)).statements.flatMap((statement) => {
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}

/** Names of the variables that a file declares, also within functions. */
function variablesIn(file: string): string[] {
  return descendantsOf(parsed(join(root, file))).flatMap((node) =>
    ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) ? [node.name.text] : [],
  );
}

it('no two packages have a file with the same name', () => {
  const sources = files.filter((file) => !/\.test\.tsx?$|\/index\.ts$/.test(file));
  const byName = Map.groupBy(sources, (file) => basename(file));
  const shared = [...byName.values()].filter((same) => new Set(same.map((file) => file.split('/')[1])).size > 1);
  expect(sources.length).toBeGreaterThan(300);
  expect(shared).toEqual([]);
});

it('former names are not used again for files, functions or types', () => {
  const named = files.filter((file) => FORMER.has(basename(file).replace(/(\.test)?\.tsx?$/, '')));
  const declared = files.flatMap((file) =>
    declaredIn(file)
      .filter((name) => FORMER.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect([...named, ...declared]).toEqual([]);
});

it('former names are not used again for variables', () => {
  const declared = files.flatMap((file) =>
    variablesIn(file)
      .filter((name) => FORMER.has(name) && !USUAL.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(declared).toEqual([]);
});

it.each(ONCE)('%s has one meaning', (name) => {
  expect(files.filter((file) => declaredIn(file).includes(name)).length).toBeLessThanOrEqual(1);
});
