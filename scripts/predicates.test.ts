import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { descendantsOf, parsed } from './test/syntax.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = globSync('packages/{engine,store}/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts'),
);

const PREDICATE = /^(is|has|can)[A-Z]/;
/** Functions that change what is stored; `markOf` only returns a mark. */
const CHANGING =
  /^(add|assign|clear|create|delete|drop|emit|insert|lock|mark|note|purge|put|release|remove|replace|reset|save|set|store|update|write)(?!Of$)([A-Z]|$)/;
const CHANGING_SQL = /\b(insert into|update \S+ set|delete from|for (no key )?update|truncate)\b/i;

interface Predicate {
  readonly name: string;
  readonly parameters: readonly ts.ParameterDeclaration[];
  readonly body: ts.Node;
}

/** The name and the function that a node declares, whether as a function, a method, a property or a constant. */
function declaredBy(node: ts.Node): Predicate[] {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isGetAccessor(node);
  if (isNamed && node.name && node.body)
    return [{ name: nameOf(node.name), parameters: [...node.parameters], body: node.body }];
  const isValue = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node);
  const { initializer } = isValue ? node : {};
  const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  if (!isValue || !isFunction) return [];
  return [{ name: nameOf(node.name), parameters: [...initializer.parameters], body: initializer.body }];
}

/** A name without the sign of a private one. */
const nameOf = (name: ts.Node) => name.getText().replace(/^#/, '');

/** The functions of a source, including those within others and methods, whose names ask a question. */
function predicatesIn(source: ts.SourceFile): Predicate[] {
  return descendantsOf(source)
    .flatMap(declaredBy)
    .filter(({ name }) => PREDICATE.test(name));
}

/** The names that a parameter binds, which may be destructured. */
function boundBy(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundBy(element.name) : []));
}

/** The variable in which a chain of properties begins: `a` of `a.b[0].c`. */
function originOf(node: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return originOf(node.expression);
  return ts.isIdentifier(node) ? node.text : undefined;
}

function isAssignment({ kind }: ts.BinaryOperatorToken): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** The expression that an assignment, an increment or `delete` changes. */
function changedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) return isAssignment(node.operatorToken) ? node.left : undefined;
  if (ts.isDeleteExpression(node)) return node.expression;
  const isCounting = ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node);
  const isChange = isCounting && [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator);
  return isChange ? node.operand : undefined;
}

/** The texts of the constants of a file, by name. */
function constantsIn(source: ts.SourceFile): ReadonlyMap<string, ts.Node> {
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => each.declarationList.declarations);
  return new Map(
    declared.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && !ts.isFunctionLike(initializer)
        ? [[name.text, initializer] as const]
        : [],
    ),
  );
}

/** The parts of a predicate, and of the constants of its file that it uses, that change something. */
function changesIn({ parameters, body }: Predicate): string[] {
  const given = new Set(parameters.flatMap(({ name }) => boundBy(name)));
  const constants = constantsIn(body.getSourceFile());
  const nodes = descendantsOf(body);
  const used = nodes.flatMap((node) => (ts.isIdentifier(node) ? (constants.get(node.text) ?? []) : []));
  return [...nodes, ...used.flatMap(descendantsOf)].flatMap((node) => changesBy(node, given));
}

function changesBy(node: ts.Node, given: ReadonlySet<string>): string[] {
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return ts.isIdentifier(called) && CHANGING.test(called.text) ? [`${called.text}()`] : [];
  }
  const changed = changedBy(node);
  if (changed && !ts.isIdentifier(changed) && given.has(originOf(changed) ?? '')) return [changed.getText()];
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
  return isText && CHANGING_SQL.test(node.text) ? [node.text] : [];
}

it('a function whose name asks a question changes nothing', () => {
  const predicates = files.flatMap((file) =>
    predicatesIn(parsed(join(root, file))).map((predicate) => ({ file, predicate })),
  );
  expect(predicates.length).toBeGreaterThan(50);
  const changing = predicates.filter(({ predicate }) => changesIn(predicate).length > 0);
  expect(changing.map(({ file, predicate }) => [file, predicate.name, ...changesIn(predicate)])).toEqual([]);
});

it('every kind of change is found', () => {
  const changes = (text: string) => predicatesIn(parsed('a.ts', text)).flatMap(changesIn);
  expect(changes('export function isDue(a: A) { return a.due < now() && a.all.every(isSet); }')).toEqual([]);
  expect(changes('export async function isDue(s: S) { await markDue(s); return true; }')).toEqual(['markDue()']);
  expect(changes('const hasRows = (s: S) => s.rows.delete(1);')).toEqual(['delete()']);
  expect(changes('export function canRun({ state }: R) { state.runs++; return (state.last = 1); }')).toEqual([
    'state.runs',
    'state.last',
  ]);
  expect(changes('const isNew = (s: S) => send(s, `update t set x = 1`);')).toEqual(['update t set x = 1']);
  expect(changes('const SQL = `delete from t`; const isNew = (s: S) => send(s, SQL);')).toEqual(['delete from t']);
  expect(changes('class A { #isNew(s: S) { return s.rows.delete(1); } }')).toEqual(['delete()']);
  expect(changes('class A { hasRows = (s: S) => store(s); get isSet() { return reset(this); } }')).toEqual([
    'store()',
    'reset()',
  ]);
  expect(changes('const a = () => ({ canRun: (s: S) => (s.runs += 1), isSet() { return mark(1); } });')).toEqual([
    's.runs',
    'mark()',
  ]);
});
