import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { consumers } from './consumers.ts';

/** The cost of one type check. */
export interface Cost {
  readonly instantiations: number;
  /** Seconds of the whole run, the median of several. */
  readonly seconds: number;
  readonly megabytes: number;
}

export interface TypecheckCosts {
  /** Calls in each of the two programs. */
  readonly calls: number;
  readonly client: Cost;
  readonly bare: Cost;
  readonly ratio: { readonly instantiations: number; readonly seconds: number };
}

/** Checks the same calls written for the client (dist/, which must have been built) and for bare openapi-fetch. */
export async function measureTypecheck(runs = 3): Promise<TypecheckCosts> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-typecheck-'));
  try {
    const { calls, ...sources } = consumers();
    await prepare(folder, sources);
    const client = await cost(folder, 'client', runs);
    const bare = await cost(folder, 'bare', runs);
    const ratio = {
      instantiations: client.instantiations / bare.instantiations,
      seconds: client.seconds / bare.seconds,
    };
    return { calls, client, bare, ratio };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function prepare(folder: string, sources: Readonly<Record<'client' | 'bare', string>>): Promise<void> {
  const own = fileURLToPath(new URL('..', import.meta.url));
  await mkdir(join(folder, 'node_modules', '@unified'), { recursive: true });
  await symlink(own, join(folder, 'node_modules', '@unified', 'sdk'));
  await symlink(join(own, 'node_modules', 'openapi-fetch'), join(folder, 'node_modules', 'openapi-fetch'));
  await copyFile(new URL('../generated/types.ts', import.meta.resolve('@unified/contract')), join(folder, 'types.ts'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, source] of Object.entries(sources)) {
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    };
    const compilerOptions = { ...options, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true };
    await writeFile(join(folder, `${name}.ts`), source);
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  }
}

async function cost(folder: string, name: string, runs: number): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < runs; run++) costs.push(await check(folder, name));
  const [median] = costs.toSorted((a, b) => a.seconds - b.seconds).slice(Math.floor(runs / 2));
  if (!median) throw new Error('At least one run is needed.');
  return median;
}

async function check(folder: string, name: string): Promise<Cost> {
  const compiler = join(dirname(fileURLToPath(import.meta.resolve('typescript'))), '..', 'bin', 'tsc');
  const began = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [compiler, '-p', `${name}.json`, '--extendedDiagnostics'],
    {
      cwd: folder,
    },
  ).catch(({ stdout: complaints }) => {
    throw new Error(`The program for ${name} does not compile:\n${complaints.slice(0, 2000)}`);
  });
  const seconds = (performance.now() - began) / 1000;
  const figure = (label: string) => Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(stdout)?.[1]);
  return { instantiations: figure('Instantiations'), seconds, megabytes: figure('Memory used') / 1000 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measureTypecheck(), null, 2));
