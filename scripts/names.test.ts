import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Files of the sandbox are named after parts of the company, so their names may equal those of parts of the service. */
const files = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['packages/sandbox/**'] });

/** Names that only insiders understood; each was replaced by a standard term. */
const FORMER = new Set([
  ...['Lent', 'Lane', 'Heads', 'Alarm', 'World', 'Baseline', 'Yardstick', 'Answer', 'Proof'],
  ...['admit', 'tell', 'lend', 'surface', 'answer', 'alarm', 'lane', 'heads', 'link', 'world', 'baseline', 'yardstick'],
  ...['prove', 'lookAt'],
]);

/** Names that had several meanings. */
const ONCE = ['Place', 'Link', 'Intent'];

/** Names of the functions, classes, interfaces and types that a file declares. */
function declaredIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}

it('no two packages have a file with the same name', () => {
  const sources = files.filter((file) => !/\.test\.ts$|\/index\.ts$/.test(file));
  const byName = Map.groupBy(sources, (file) => basename(file));
  const shared = [...byName.values()].filter((same) => new Set(same.map((file) => file.split('/')[1])).size > 1);
  expect(sources.length).toBeGreaterThan(300);
  expect(shared).toEqual([]);
});

it('former names are not used again for files, functions or types', () => {
  const named = files.filter((file) => FORMER.has(basename(file).replace(/(\.test)?\.ts$/, '')));
  const declared = files.flatMap((file) =>
    declaredIn(file)
      .filter((name) => FORMER.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect([...named, ...declared]).toEqual([]);
});

it.each(ONCE)('%s has one meaning', (name) => {
  expect(files.filter((file) => declaredIn(file).includes(name)).length).toBeLessThanOrEqual(1);
});
