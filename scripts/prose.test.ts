import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Phrases that docs/writing-style.md replaces, and similar ones, as whole words. */
const AVOIDED = [
  /\banswers? (a|an|the|with|by|at|its|to|`|\d)|\b(is|are|be|was) answered\b|\bevery answer\b/,
  /\b(lies?|lay|lying) (in|on|at|below|beside|elsewhere|after|outside)\b/,
  /\bstands? (in|on|below|beside|among|still|alone|by itself)\b/,
  /\b(is|are) told\b|\b(tells?|told) (what|how|whether|which|it|its|the|them|apart)\b/,
  /\b(some|no|any|every)body\b/,
  /\bwhat became of\b|\bgrowing pauses\b|\bbytes are dear\b|\bmade by itself\b|\bheeds?\b/,
  /\bmend(s|ed|ing)?\b|\bheals?\b/,
  /\bwhat came of\b|\bsynchronis|\blook(s|ed) after\b|\bno fault of\b|\ballotted\b|\bwhat is the same\b/,
  /\bunless (you say|told) otherwise\b|\bas \S+ says\b|\bsays (so|how|what|which|whether|why|nothing)\b/,
  /\bhears? of\b|\b(is|are) let in\b|\bgives? up\b/,
  /\banew\b|\basked for\b|\bby itself\b|\bin the words of\b|\bof this name\b|\bnothing but\b|\bthat is not there\b/,
  /\balso (when|if|after)\b|[,;] also (in|for|with|without)\b|\bof (ours|theirs)\b/,
  /\bmoments? \(?in time\b|\btime is over\b|\baddress(es)? of the web\b|\bcan be had\b/,
  /\banother number of\b|\bthere is no telling\b|\bby now\b/,
  /\btoo[,.;:]|, too\b|(?<!in the )\bmeanwhile\b|\bany more[,.;:]|\bmissing in\b/,
  /\banother \w+ than\b|\b(any|some)thing else than\b|\bhalf way\b|\bat the most\b|\band its like\b/,
  /\bnow when absent\b|\bthat of the [a-z ]+ when absent\b|\bwhere sent\b|\bmostly from\b|\bfrom place to place\b/,
  /\bbooked to\b|\bbusiness events?\b|\ba further\b|\bnames there\b|\bfits? each other\b|\bweb sites?\b/,
];

/** Sources whose comments and texts are checked as well. */
const CHECKED_SOURCES = [
  'packages/{connectors,contract,engine,sandbox,sdk,server,store,testing}/{src,generate,build,test}/**/*.ts',
  'scripts/**/*.{ts,mjs}',
  'openapi/rules/*.ts',
];

const PAGES = ['*.md', 'docs/**/*.md', 'openapi/**/*.{md,yaml}', 'packages/*/README.md', 'packages/*/src/**/*.md'];

/** Data and settings of which only the comments are prose; descriptions in them are values of a customer. */
const COMMENTED = [
  'compose.yaml',
  'redocly.yaml',
  'pnpm-workspace.yaml',
  'packages/*/{platforms,sql,test}/**/*.{yaml,sql}',
  'test-{clients,systems}/**/*.{yaml,yml,sql}',
];

/** The style guide quotes the phrases that it replaces; code is not prose. */
const pages = globSync(PAGES, { cwd: root, exclude: ['docs/writing-style.md', '**/node_modules/**'] });
const sources = globSync(CHECKED_SOURCES, { cwd: root, exclude: ['**/generated/**', '**/node_modules/**'] });
const commented = globSync(COMMENTED, { cwd: root, exclude: ['**/generated/**', '**/node_modules/**'] });
const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;

/** A text and the line of its file that it begins in. */
interface Passage {
  readonly text: string;
  readonly line: number;
}

/** The phrases that a passage should not contain, with their lines. */
function avoidedIn(file: string, { text, line }: Passage): string[] {
  const avoided = new RegExp(AVOIDED.map(({ source }) => source).join('|'), 'gi');
  return text
    .replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, '-'))
    .split('\n')
    .flatMap((each, index) => [...each.matchAll(avoided)].map(([phrase]) => `${file}:${line + index}: "${phrase}"`));
}

/** Comments, and the texts of strings and templates: messages, and the names of tests. */
function passagesIn(file: string): Passage[] {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) found.set(pos, text.slice(pos, end));
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    // A single word is a name or a value.
    if (isText && /\s/.test(node.text)) found.set(node.getStart(), node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
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

describe('the style guide', () => {
  const [, table = ''] = readFileSync(join(root, 'docs/writing-style.md'), 'utf8').split('|---|---|\n');
  const rows = table.split('\n\n')[0]?.replaceAll('`', '').split('\n') ?? [];

  it('has a table of phrases', () => expect(rows.length).toBeGreaterThan(15));

  it.each(rows)('quotes phrases that are found: %s', (row) => {
    expect(avoidedIn('', { text: row.split('|')[1] ?? '', line: 1 })).not.toEqual([]);
  });
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
