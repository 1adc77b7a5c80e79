import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, glob, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Rpc } from './rpc.ts';
import { seed } from './seed.ts';
import { configure, environment, python, serve } from './server.ts';

const run = promisify(execFile);
const here = import.meta.dirname;

/** Where databases are kept between runs. */
export const cache = join(here, '../../.data/test-systems/tryton');

/** Name of the database, and the administrator's name and password. */
export const access = { database: 'erp', user: 'admin', password: 'admin' } as const;

const modules =
  `party product account account_product account_invoice account_invoice_stock account_payment account_asset bank
  company country currency purchase purchase_request purchase_requisition purchase_request_quotation sale stock stock_lot
  stock_supply stock_split production production_routing production_work project timesheet company_work_time`.split(
    /\s+/,
  );

/** File of the database of a server in `dir`. */
export function databaseFile(dir: string): string {
  return join(dir, 'data', `${access.database}.sqlite`);
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** File in the cache for the seeded database of this version of Tryton, the modules and the seeds. */
export async function seededFile(): Promise<string> {
  const sources: string[] = [];
  for await (const name of glob(['rpc.ts', 'seed.ts', 'seed/*.ts'], { cwd: here })) sources.push(name);
  const texts = await Promise.all(sources.sort().map((name) => readFile(join(here, name), 'utf8')));
  return join(cache, `seeded-${await fingerprint(...texts)}.sqlite`);
}

/** Builds the seeded database: 40 s with `fresh` or after a change of Tryton, 3 s after a change of the seeds. */
export async function buildSeeded(target: string, options: { readonly fresh: boolean }): Promise<void> {
  const initial = join(cache, `initial-${await fingerprint()}.sqlite`);
  if (options.fresh || !(await exists(initial))) await build(initial, initialise);
  await build(target, async (dir) => {
    await copyFile(initial, databaseFile(dir));
    await seedIn(dir);
  });
}

async function fingerprint(...texts: readonly string[]): Promise<string> {
  const { stdout } = await run(python, ['/usr/bin/trytond', '--version'], { env: environment });
  const hash = createHash('sha256');
  for (const text of [stdout, ...modules, ...texts]) hash.update(`${text}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a separate directory, so that a failed build leaves nothing in the cache. */
async function build(target: string, work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tryton-build-'));
  try {
    await mkdir(join(dir, 'data'));
    await work(dir);
    await copyFile(databaseFile(dir), `${target}.${process.pid}`);
    await rename(`${target}.${process.pid}`, target);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function seedIn(dir: string): Promise<void> {
  const server = await serve(dir, access.database);
  try {
    const rpc = new Rpc(`${server.url}/${access.database}/`);
    await rpc.login(access.user, access.password);
    await seed(rpc);
  } finally {
    await server.stop();
  }
}

async function initialise(dir: string): Promise<void> {
  const config = await configure(dir);
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, access.password, { mode: 0o600 });
  // Tryton finds a database only if its file exists, even an empty one.
  await (await open(databaseFile(dir), 'w')).close();
  const call = (program: string, ...args: string[]) =>
    run(python, [`/usr/bin/${program}`, '-c', config, '-d', access.database, ...args], {
      cwd: dir,
      env: { ...environment, TRYTONPASSFILE: passwordFile },
      maxBuffer: 100_000_000,
    });
  // One -u with all modules: if there are several, Tryton uses only the last.
  const wanted = ['-u', 'ir', 'res', ...modules, '--activate-dependencies'];
  await call('trytond-admin', ...wanted, '--email', 'admin@demo.example', '-p');
  await call('trytond_import_currencies');
  await call('trytond_import_countries');
}
