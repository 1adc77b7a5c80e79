import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answering } from './answering-server.ts';
import { type InstalledPackage, installedPackage } from './installed-package.ts';
import { page, vendor } from './records.ts';

// Starts compilers, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const nodeTypes = fileURLToPath(new URL('.', import.meta.resolve('@types/node/package.json')));
let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installedPackage();
});
afterAll(() => installed?.remove());

describe('the packed package', () => {
  it('contains the build, a readme and the license', () => {
    const others = installed.files.filter((file) => !/^dist\/(generated\/)?[a-z-]+\.(js|d\.ts)$/.test(file));
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(installed.files).toContain('dist/index.d.ts');
  });

  it('depends on no other package', async () => {
    const modules = await readdir(join(installed.folder, 'node_modules'), { recursive: true });
    const packages = modules
      .filter((path) => path.endsWith('package.json'))
      .map((path) => path.replace('/package.json', ''));
    expect(packages).toEqual(['@unified/sdk']);
  });

  it('imports no package of the workspace and no module of Node', async () => {
    for (const file of installed.files.filter((name) => name.startsWith('dist/'))) {
      const text = await readFile(join(installed.folder, 'node_modules/@unified/sdk', file), 'utf8');
      expect(text, file).not.toMatch(/(from|import)\s*\(?['"](node:|@unified\/)/);
    }
  });

  it('works in Node', async () => {
    const server = await answering(page([vendor('1')], 'c2'), page([vendor('2')]));
    await writeFile(
      join(installed.folder, 'list.mjs'),
      `import { createClient } from '@unified/sdk';
       const client = createClient({ baseUrl: process.argv[2], token: 'token' });
       for await (const { name } of client.vendors.list()) console.log(name);`,
    );
    const { stdout } = await run(process.execPath, ['list.mjs', server.url], { cwd: installed.folder });
    expect(stdout).toBe('Vendor 1\nVendor 2\n');
  });

  it('runs the first example of its readme as printed, in a CommonJS project', async () => {
    const server = await answering(page([vendor('1'), vendor('2')]));
    const [file = ''] =
      /(?<=Save this as `)[^`]+/.exec(await readFile(new URL('../README.md', import.meta.url), 'utf8')) ?? [];
    const [first = ''] = await examples('../README.md', /```ts\n(.*?)```/gs);
    await writeFile(join(installed.folder, file), first.replace('http://localhost:4000', server.url));
    const env = { ...process.env, TOKEN: 'token' };
    const { stdout } = await run(process.execPath, [file], { cwd: installed.folder, env });
    expect(stdout).toBe("[ 'Vendor 1', 'Vendor 2' ]\n");
    expect(server.arrived[0]?.query.get('filter[name:contains]')).toBe('acme');
  });

  it('compiles valid calls and refuses invalid ones in a program for Node', async () => {
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'], typeRoots: [dirname(nodeTypes)] };
    const guide = (await guideExamples()).filter((code) => code.includes("'node:"));
    expect(guide).toHaveLength(1);
    await expect(complaints([await userCalls(), ...guide], options)).resolves.toBe('');
  });

  // One program for both: the compiler takes seconds to read the types of the package.
  it('compiles the same calls and the examples of the guide and both readmes in a program for a browser', async () => {
    const own = await examples('../README.md', /```ts\n(.*?)```/gs);
    const service = await examples('../../../README.md', /```js\n(.*?)```/gs);
    expect([own.length, service.length]).toEqual([expect.toSatisfy((count) => count > 4), 1]);
    const environment = 'declare const process: { env: Record<string, string | undefined> };';
    const guide = (await guideExamples()).filter((code) => !code.includes("'node:"));
    expect(guide.length).toBeGreaterThan(3);
    const sources = [own, service, ...guide.map((code) => [code])].map((parts) => [environment, ...parts].join('\n'));
    const options = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] };
    await expect(complaints([await userCalls(), GIVEN, ...sources], options)).resolves.toBe('');
  });

  it('is found by tools that do not support `exports`', async () => {
    const { main, types, exports } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(exports['.']).toEqual({ types, default: main });
  });
});

/** Calls as users write them, valid and invalid. */
async function userCalls(): Promise<string> {
  return readFile(new URL('consumer/calls.ts', import.meta.url), 'utf8');
}

/** What examples of the guide use that earlier ones, or their text, define. */
const GIVEN = `import type { Client } from '@unified/sdk';
declare global {
  const client: Client;
  const url: string;
}`;

/** The examples of the guide, which is part of the OpenAPI document. */
async function guideExamples(): Promise<string[]> {
  return examples('../../../openapi/openapi.yaml', /```ts\n(.*?)```/gs);
}

/** Blocks of code in a page. */
async function examples(path: string, block: RegExp): Promise<string[]> {
  const text = await readFile(new URL(path, import.meta.url), 'utf8');
  return [...text.matchAll(block)].map(([, code = '']) => code);
}

/** Compiler errors in the files of a program of the project. */
async function complaints(sources: readonly string[], options: object): Promise<string> {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const compilerOptions = { ...strict, target: 'es2022', lib: ['es2022', 'dom'], types: [], noEmit: true, ...options };
  const files = sources.map((_, at) => `program-${at}.mts`);
  for (const [at, file] of files.entries()) await writeFile(join(installed.folder, file), sources[at] ?? '');
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')));
  return run(process.execPath, [compiler, '-p', installed.folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}
