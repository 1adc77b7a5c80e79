import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { descendantsOf, parsed } from './test/syntax.ts';

const src = fileURLToPath(new URL('../packages/engine/src', import.meta.url));

/**
 * Files that may use the mappings of a platform: those that build the model, and the startup of workers, which needs only
 * streams.
 */
const seam = [
  ...['model/connection-model.ts', 'model/revised-model.ts', 'model/systems.ts', 'jobs/due-jobs.ts'],
  // This file compares the mappings of a connection with those of its platform.
  'field-mappings/mapped-connection.ts',
];

/** Properties of a platform that belong to the model of a connection. */
const OF_MODEL = new Set(['mappings', 'broken']);
/** Functions that return a platform. */
const FINDING = new Set(['platformOf', 'platformIn', 'offeredPlatform', 'platformOfModel']);

type Declaration = ts.ParameterDeclaration | ts.VariableDeclaration;

const isDeclaration = (node: ts.Node): node is Declaration => ts.isParameter(node) || ts.isVariableDeclaration(node);

/** The name of the function that an expression calls, or of the property or variable that it reads. */
function nameOf(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isCallExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node))
    return nameOf(node.expression);
  return ts.isBinaryExpression(node) ? nameOf(node.left) : undefined;
}

/** Where a source reads what belongs to a model from a platform, and where it finds a platform without the seam. */
function readsOfPlatform(source: ts.SourceFile): string[] {
  const nodes = descendantsOf(source);
  const declarations = nodes.filter(isDeclaration);
  const isFound = (value: ts.Expression | undefined) => value !== undefined && FINDING.has(nameOf(value) ?? '');
  const isPlatform = ({ type, initializer }: Declaration) =>
    /\bPlatform\b(?!\[)/.test(type?.getText() ?? '') || isFound(initializer);
  const typed = declarations.filter((each) => ts.isIdentifier(each.name) && isPlatform(each));
  const names = new Set(['platform', ...typed.map(({ name }) => name.getText())]);
  const isValue = (value: ts.Expression) => names.has(nameOf(value) ?? '') || isFound(value);
  const reads = nodes.filter(
    (node) => ts.isPropertyAccessExpression(node) && OF_MODEL.has(node.name.text) && isValue(node.expression),
  );
  const taken = declarations.filter(
    (each) =>
      ts.isObjectBindingPattern(each.name) &&
      each.name.elements.some(({ name, propertyName = name }) => OF_MODEL.has(propertyName.getText())) &&
      (isPlatform(each) || (each.initializer !== undefined && isValue(each.initializer))),
  );
  const found = nodes.filter((node) => ts.isCallExpression(node) && nameOf(node.expression) === 'platformOf');
  return [...reads, ...taken, ...found].map((node) => node.getText());
}

test('the engine reads mappings from the model of a connection, never from its platform', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts') && !seam.includes(file));
  const reads = files.flatMap((file) => readsOfPlatform(parsed(join(src, file))).map((read) => `${file}: ${read}`));
  expect(files.length).toBeGreaterThan(40);
  expect(reads).toEqual([]);
});

test('every way to read from a platform is found', () => {
  const reads = (text: string) => readsOfPlatform(parsed('a.ts', text));
  expect(
    reads('function a({ platform, mappings }: ConnectionModel, { id }: Platform) { return model.mappings; }'),
  ).toEqual([]);
  expect(reads('function a({ mappings }: Platform) {}')).toEqual(['{ mappings }: Platform']);
  expect(reads('const a = ({ broken: b }: Platform | undefined) => b;')).toHaveLength(1);
  expect(reads('const a = (kind: Platform) => kind.mappings;')).toEqual(['kind.mappings']);
  expect(reads('const kind = offeredPlatform(systems, id); void kind?.mappings;')).toEqual(['kind?.mappings']);
  expect(reads('const { mappings } = platformIn(systems, id) ?? refuse();')).toHaveLength(1);
  expect(reads('const { mappings } = model.platform; void model.platform.mappings;')).toHaveLength(2);
  expect(reads('void systems.platformOf(id);')).toEqual(['systems.platformOf(id)']);
});
