import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { descendantsOf, parsed } from './test/syntax.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The first column of the table in the style guide. */
const PHRASES = phrasesOf(readFileSync(join(root, 'docs/writing-style.md'), 'utf8'));
const AVOIDED = new RegExp(PHRASES.map(patternOf).join('|'), 'gi');

/** Sources whose comments and texts are also checked. */
const CHECKED_SOURCES = [
  'packages/{connector-kit,connectors,console,contract,engine,sandbox,sdk,server,store,testing,tracing}/{src,generate,build,test}/**/*.{ts,tsx}',
  'scripts/**/*.{ts,mjs}',
  'test-{clients,systems}/**/*.ts',
  'openapi/rules/*.ts',
];

const PAGES = [
  ...['*.md', 'docs/**/*.md', 'openapi/**/*.{md,yaml}', 'packages/*/README.md', 'packages/*/src/**/*.md'],
  '{scripts,test-clients,test-systems}/**/*.md',
];

/** Data and settings in which only the comments are prose; their descriptions are values of a customer. */
const COMMENTED = [
  'compose.yaml',
  'redocly.yaml',
  'pnpm-workspace.yaml',
  'packages/*/{platforms,sql,test}/**/*.{yaml,sql}',
  'test-{clients,systems}/**/*.{yaml,yml,sql}',
];

/** The style guide and this test quote the phrases that are replaced; code is not prose. */
const pages = globSync(PAGES, { cwd: root, exclude: ['docs/writing-style.md', '**/node_modules/**'] });
const sources = globSync(CHECKED_SOURCES, {
  cwd: root,
  exclude: ['scripts/prose.test.ts', '**/generated/**', '**/node_modules/**'],
});
const commented = globSync(COMMENTED, { cwd: root, exclude: ['**/generated/**', '**/node_modules/**'] });
/** A line that only contains a comment, or a part of one. */
const COMMENT_OVER_132 = /^(?=.{133})\s*(\/\/|\/?\*)/;
const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;

/** A text and the line of its file that it begins in. */
interface Passage {
  readonly text: string;
  readonly line: number;
}

function phrasesOf(guide: string): string[] {
  const [, table = ''] = guide.split('|---|---|\n');
  const cells = (table.split('\n\n')[0] ?? '').split('\n').map((row) => row.split(' | ')[0] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase));
}

/** A phrase as whole words. `/` separates alternatives of a word, `…` stands for a word or the rest of one. */
function patternOf(phrase: string): string {
  const words = phrase.split(' ').map((word) => `(?:${word.split('/').join('|')})`);
  const [start, end] = [/^\w/.test(phrase) ? '\\b' : '', /\w$/.test(phrase) ? '\\b' : ''];
  return `${start}${words.join(' ')}${end}`.replaceAll('.', '\\.').replaceAll('…', '\\S+');
}

/** The phrases that a passage should not contain, with their lines. */
function avoidedIn(file: string, { text, line }: Passage): string[] {
  return text
    .replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, '-'))
    .split('\n')
    .flatMap((each, index) => [...each.matchAll(AVOIDED)].map(([phrase]) => `${file}:${line + index}: "${phrase}"`));
}

/** Comments, and the texts of strings and templates: messages, and the names of tests. */
function passagesIn(file: string): Passage[] {
  const source = parsed(join(root, file));
  const { text } = source;
  const found = new Map<number, string>();
  for (const node of descendantsOf(source)) {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) found.set(pos, text.slice(pos, end));
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    // A single word is a name or a value.
    if (isText && /\s/.test(node.text)) found.set(node.getStart(), node.text);
  }
  return [...found].map(([at, passage]) => ({
    text: passage,
    line: source.getLineAndCharacterOfPosition(at).line + 1,
  }));
}

/** Comments of a file in YAML or SQL, one passage per line. A quoted text can contain the sign that begins a comment. */
function commentsIn(file: string): Passage[] {
  const sign = file.endsWith('.sql') ? '--' : '#';
  const comment = new RegExp(`^(?:[^'"]|'[^']*'|"[^"]*")*?(?:^|\\s)${sign}(.*)`);
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const [, text] = comment.exec(line) ?? [];
    return text === undefined ? [] : [{ text, line: index + 1 }];
  });
}

it('phrases of the style guide are found, in any case and with any alternative, but not within words or code', () => {
  expect(PHRASES.length).toBeGreaterThan(40);
  const found = (text: string) => avoidedIn('a.md', { text, line: 1 });
  expect(found('It is fine.\nThe file Lies below, as it says.')).toEqual([
    'a.md:2: "Lies below"',
    'a.md:2: "as it says"',
  ]);
  expect(found('That works too.')).toEqual(['a.md:1: "too."']);
  expect(found('Synchronised at noon; anewly; `anew`; in the meantime.')).toEqual(['a.md:1: "Synchronised"']);
});

it.each(pages)('%s is written in plain technical English', (page) => {
  expect(avoidedIn(page, { text: readFileSync(join(root, page), 'utf8'), line: 1 })).toEqual([]);
});

it.each(sources)('the comments and messages of %s are written in plain technical English', (file) => {
  expect(passagesIn(file).flatMap((passage) => avoidedIn(file, passage))).toEqual([]);
});

it.each(commented)('the comments of %s are written in plain technical English', (file) => {
  expect(commentsIn(file).flatMap((passage) => avoidedIn(file, passage))).toEqual([]);
});

it('comments of SQL and YAML are found', () => {
  const count = (ending: string) =>
    commented.filter((file) => file.endsWith(ending)).flatMap((file) => commentsIn(file)).length;
  expect(count('.sql')).toBeGreaterThan(100);
  expect(count('.yaml')).toBeGreaterThan(20);
});

it('no line of a docstring has a second asterisk', () => {
  const doubled = sources.filter((file) => /^\s*(\/\*)?\* \* /m.test(readFileSync(join(root, file), 'utf8')));
  expect(doubled).toEqual([]);
});

it('no comment line is longer than 132 characters', () => {
  const long = sources.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, index) => (COMMENT_OVER_132.test(line) ? [`${file}:${index + 1}`] : []));
  });
  expect(sources.length).toBeGreaterThan(1000);
  expect(long).toEqual([]);
});
