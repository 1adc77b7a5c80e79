import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** A style in `browser/`, after the style that all pages have in common. */
export async function styleOf(name: string): Promise<string> {
  const texts = await Promise.all(['base', name].map((each) => textOf(`${each}.css`)));
  return texts.join('');
}

/** A script in `browser/` as JavaScript, with the imports of the others as their built files. */
export async function scriptOf(name: string): Promise<string> {
  const text = stripTypeScriptTypes(await textOf(`${name}.ts`));
  return text.replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'");
}

function textOf(file: string): Promise<string> {
  return readFile(new URL(`browser/${file}`, import.meta.url), 'utf8');
}
