import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Phrases that docs/writing-style.md replaces, as whole words. */
const AVOIDED = [
  /\banswers? (a|an|the|with|by|at|its|to|`|\d)|\b(is|are|be|was) answered\b|\bevery answer\b/,
  /\b(lies?|lay|lying) (in|on|at|below|beside|elsewhere|after|outside)\b/,
  /\bstands? (in|on|below|beside|among|still|alone|by itself)\b/,
  /\b(is|are) told\b|\b(tells?|told) (what|how|whether|which|it|its|the|them|apart)\b/,
  /\b(some|no|every)body\b/,
  /\bwhat became of\b|\bgrowing pauses\b|\bbytes are dear\b|\bmade by itself\b|\bheeds?\b/,
  /\bmend(s|ed|ing)?\b|\bheals?\b/,
  /\bunless (you say|told) otherwise\b|\bas \S+ says\b|\bsays (so|how|what|which|whether|why|nothing)\b/,
  /\bhears? of\b|\b(is|are) let in\b|\bgives? up\b/,
];
const AVOIDED_WORDS = new RegExp(AVOIDED.map(({ source }) => source).join('|'), 'gi');

const PAGES = ['*.md', 'docs/**/*.md', 'openapi/**/*.{md,yaml}', 'packages/*/README.md', 'packages/*/src/**/*.md'];

/** The style guide quotes what it replaces; code is no prose. */
const pages = globSync(PAGES, { cwd: root, exclude: ['docs/writing-style.md', '**/node_modules/**'] });
const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;

it('finds the phrases that the style guide replaces', () => {
  const guide = readFileSync(join(root, 'docs/writing-style.md'), 'utf8');
  expect(guide.match(AVOIDED_WORDS)?.length).toBeGreaterThan(10);
});

it.each(pages)('%s is written in plain technical English', (page) => {
  const lines = readFileSync(join(root, page), 'utf8')
    .replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, '-'))
    .split('\n');
  const found = lines.flatMap((line, index) =>
    [...line.matchAll(AVOIDED_WORDS)].map(([phrase]) => `${page}:${index + 1}: "${phrase}"`),
  );
  expect(found).toEqual([]);
});
