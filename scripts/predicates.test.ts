import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

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

/** The functions of a source whose names ask a question. */
function predicatesIn(source: ts.SourceFile): Predicate[] {
  return source.statements
    .flatMap((statement) => {
      if (ts.isFunctionDeclaration(statement) && statement.name && statement.body)
        return [{ name: statement.name.text, parameters: [...statement.parameters], body: statement.body }];
      if (!ts.isVariableStatement(statement)) return [];
      return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
        ts.isIdentifier(name) && initializer && ts.isArrowFunction(initializer)
          ? [{ name: name.text, parameters: [...initializer.parameters], body: initializer.body }]
          : [],
      );
    })
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

/** The parts of a predicate that change something. */
function changesIn({ parameters, body }: Predicate): string[] {
  const given = new Set(parameters.flatMap(({ name }) => boundBy(name)));
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const called = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
      if (ts.isIdentifier(called) && CHANGING.test(called.text)) found.push(`${called.text}()`);
    }
    const changed = changedBy(node);
    if (changed && !ts.isIdentifier(changed) && given.has(originOf(changed) ?? '')) found.push(changed.getText());
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    if (isText && CHANGING_SQL.test(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

const parsed = (name: string, text: string) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

it('a function whose name asks a question changes nothing', () => {
  const predicates = files.flatMap((file) =>
    predicatesIn(parsed(file, readFileSync(join(root, file), 'utf8'))).map((predicate) => ({ file, predicate })),
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
});
