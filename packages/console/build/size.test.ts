import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';

/** An entry of the manifest of Vite. */
interface BuiltFile {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const LARGEST_BYTES = 250_000;
/** Faster than the best compression, and slightly larger. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const FIRST_PAGES = ['index.html', 'src/pages/start/start-page.tsx', 'src/session/sign-in-page.tsx'];

const folder = new URL('../../server/generated/console/', import.meta.url);
const page = readFileSync(new URL('index.html', folder), 'utf8');
const manifest: Readonly<Record<string, BuiltFile>> = JSON.parse(
  readFileSync(new URL('.vite/manifest.json', folder), 'utf8'),
);

/** The files of a chunk and of all that it imports, except on demand. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const { file, imports = [], css = [] } = manifest[name] ?? { file: `${name} is missing` };
  if (found.has(file)) return found;
  for (const each of [file, ...css]) found.add(each);
  for (const each of imports) filesOf(each, found);
  return found;
}

it.each(FIRST_PAGES.slice(1))('the first page has at most 250 kB compressed: %s', (first) => {
  // Of the fonts, browsers load the one for the letters that the page has.
  const fonts = globSync('assets/inter-latin-wght-*.woff2', { cwd: fileURLToPath(folder) });
  expect(fonts).toHaveLength(1);
  const files = new Set([...['index.html', first].flatMap((name) => [...filesOf(name)]), ...fonts]);
  const bytes = [...files].map((file) => brotliCompressSync(readFileSync(new URL(file, folder)), COMPRESSION).length);
  expect(files.size).toBeGreaterThan(3);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(LARGEST_BYTES);
});

it('the page has no inline script and no style, and loads only files of the server', () => {
  expect(page).toContain('<script type="module" crossorigin src="/console/assets/');
  expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|\son\w+=/);
  expect(page).not.toMatch(/(src|href)="(?!\/console\/)/);
});
