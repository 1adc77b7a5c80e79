import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.ts';

/**
 * Builds dist/, which is published and imported by the other packages: JavaScript and its types, without references to
 * the contract package.
 *
 *     node packages/sdk/build/build.ts
 */
async function build(dist: string): Promise<void> {
  await generate();
  await rm(dist, { recursive: true, force: true });
  compile(dist);
  await nameBuiltFiles(dist);
}

function compile(dist: string): void {
  const tsc = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')));
  const project = fileURLToPath(new URL('../tsconfig.build.json', import.meta.url));
  const { status } = spawnSync(process.execPath, [tsc, '-p', project, '--outDir', dist], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The client does not compile.');
}

/** The compiler keeps `.ts` in the imports of declarations, which compilers before 5.7 refuse. */
async function nameBuiltFiles(dist: string): Promise<void> {
  for (const file of globSync('**/*.d.ts', { cwd: dist })) {
    const path = join(dist, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/(from |import\()(['"])(\.[^'"\n]+)\.ts\2/g, '$1$2$3.js$2'));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build(fileURLToPath(new URL('../dist', import.meta.url)));
}
