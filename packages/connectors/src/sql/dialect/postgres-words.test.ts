import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(folder).filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts'));

/** The rest of the package, which does not depend on any database. */
const others = globSync('**/*.ts', { cwd: `${folder}/..`, exclude: ['sql/**', '**/*.test.ts'] });

const SQLSTATE = /'(?:08|2[0-9]|3[DF]|4[02]|5[3578]|XX)[0-9A-Z]{0,3}'/;

/** Words that exist only in PostgreSQL, or that other databases spell differently. */
const words = [
  ...[
    /\bpg_\w+/i,
    /'pg'/,
    /\bpostgres(?!Dialect|-dialect|\/)/i,
    /::\s*\w/,
    /\bjsonb?_\w+/i,
    /\bjsonb\b/i,
    /\bbytea\b/i,
  ],
  ...[/\btimestamptz\b/i, /\bbpchar\b/i, /\bregclass\b/i, /\bAT TIME ZONE\b/, /\bRETURNING\b/, /\bFOR UPDATE\b/],
  ...[/\bLIMIT\b/, /\bIS (?:NOT )?DISTINCT\b/, /\bEXPLAIN\b/, /\bnow\(\) /, /\bnextval\b/, /\bDEFAULT VALUES\b/],
  SQLSTATE,
];

test.each(files)('%s contains no words specific to a database', (file) => {
  const lines = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
  const found = lines.filter((line) => !line.startsWith('import ') && words.some((word) => word.test(line)));
  expect(found).toEqual([]);
});

test('other files of the package contain neither SQLSTATEs nor catalog names', () => {
  const isForeign = (text: string) => SQLSTATE.test(text) || /\bpg_\w+/.test(text);
  expect(others.length).toBeGreaterThan(80);
  expect(others.filter((file) => isForeign(readFileSync(`${folder}/../${file}`, 'utf8')))).toEqual([]);
});
