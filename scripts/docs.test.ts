import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { TABLES, withTables } from './platform-tables.ts';
import { settingNames } from './settings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md', 'scripts/**/*.md', 'openapi/README.md', 'packages/*/README.md'], {
  cwd: root,
});

const FENCED = /^```[\s\S]*?^```/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const NAME = /`([A-Za-z_]\w*)`/g;
const FOREIGN = /^([a-z]+:|#)/;

/** Targets of the links in a text. */
function linksIn(text: string): string[] {
  return [...text.replaceAll(FENCED, '').matchAll(LINK)].map(([, target = '']) => target);
}

/** Targets of the links in a text that lead to files of this repository, without their anchors. */
function localLinks(text: string): string[] {
  return linksIn(text)
    .filter((target) => !FOREIGN.test(target))
    .map((target) => target.replace(/#.*$/, ''));
}

/** Anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8')
    .replaceAll(FENCED, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The file that a link in a page means. */
function fileOf(page: string, target: string): string {
  return join(root, dirname(page), target);
}

/** Names that a file declares at its top, and those of the members of its classes and interfaces. */
function declaredIn(file: string): Set<string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return new Set(source.statements.flatMap((statement) => namesOf(statement)));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(nameOf);
  if (ts.isFunctionDeclaration(statement)) return nameOf(statement);
  if (ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
    return [...nameOf(statement), ...statement.members.flatMap(nameOf)];
  }
  return [];
}

function nameOf({ name }: ts.NamedDeclaration): string[] {
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

/** Names of the packages that a package.json asks for, without those of this repository. */
function dependenciesIn(file: string): string[] {
  const asked: Partial<Record<string, object>> = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const names = Object.keys({ ...asked.dependencies, ...asked.devDependencies });
  return names.filter((name) => !name.startsWith('@unified/'));
}

/** The rows of the tables of the flow that name a function, with the files they link to. */
const steps = readFileSync(join(root, 'docs/flow.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => ({
    line,
    names: [...line.matchAll(NAME)].map(([, name = '']) => name),
    files: localLinks(line).map((target) => fileOf('docs/flow.md', target)),
  }))
  .filter(({ names }) => names.length > 0);

it('links only to files that exist', () => {
  const broken = pages.flatMap((page) =>
    localLinks(readFileSync(join(root, page), 'utf8'))
      .filter((target) => !existsSync(fileOf(page, target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(pages).toContain('docs/flow.md');
  expect(broken).toEqual([]);
});

it('links only to headings that exist', () => {
  const broken = pages.flatMap((page) =>
    linksIn(readFileSync(join(root, page), 'utf8'))
      .filter((target) => /^[^:]*#/.test(target))
      .filter((target) => {
        const [path = '', anchor = ''] = target.split('#');
        return !anchorsOf(path === '' ? join(root, page) : fileOf(page, path)).includes(anchor);
      })
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

it('explains every setting in a table of the README', () => {
  const rows = readFileSync(join(root, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const explained = rows.flatMap((row) => [...row.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name));
  expect(settingNames().filter((name) => !explained.includes(name))).toEqual([]);
});

it.each(TABLES)('counts in $page what the platforms read, write and do', ({ page, make }) => {
  const text = readFileSync(join(root, page), 'utf8');
  expect(text, 'Run: node scripts/platform-tables.ts').toBe(withTables(page, make));
});

it('names the functions of each step of the flow with the files that declare them', () => {
  const astray = steps.flatMap(({ line, names, files }) => {
    const declared = files.map(declaredIn);
    const nowhere = names.filter((name) => !declared.some((known) => known.has(name)));
    const unnamed = files.filter((_, index) => !names.some((name) => declared[index]?.has(name)));
    return [...nowhere, ...unnamed].map((what) => `${what} in: ${line}`);
  });
  expect(steps.length).toBeGreaterThan(50);
  expect(astray).toEqual([]);
});

it('lists every decision record', () => {
  const index = localLinks(readFileSync(join(root, 'docs/decisions/README.md'), 'utf8'));
  expect(index).toEqual(globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') }).sort());
});

it('gives a reason for every dependency, and for none that is not there', () => {
  const rows = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').matchAll(/^\| ([@a-z][^|]*) \|/gm);
  const explained = [...rows].flatMap(([, names = '']) => names.split(', ')).filter((name) => name !== 'package');
  const declared = globSync(['package.json', 'packages/*/package.json'], { cwd: root }).flatMap(dependenciesIn);
  expect(new Set(explained)).toEqual(new Set(declared));
});
