// Builds the styles and scripts of pages as browsers use them. Unlike the reference, they are ready before the server starts.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { scriptOf, styleOf } from './browser-file.ts';

const output = new URL('../generated/browser/', import.meta.url);

await mkdir(output, { recursive: true });
for (const file of await readdir(new URL('browser/', import.meta.url))) {
  const [name = '', type] = file.split('.');
  if (type === 'css' && name !== 'base') await write(`${name}.css`, await styleOf(name));
  if (type === 'ts') await write(`${name}.js`, await scriptOf(name));
}

function write(file: string, text: string): Promise<void> {
  return writeFile(new URL(file, output), text);
}
