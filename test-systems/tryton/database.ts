import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, glob, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Rpc } from './rpc.ts';
import { seed } from './seed.ts';
import type { Series } from './series.ts';
import { configure, environment, serve } from './server.ts';

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
export async function seededFile(series: Series): Promise<string> {
  const sources: string[] = [];
  for await (const name of glob(['rpc.ts', 'seed.ts', 'series.ts', 'seed/*.ts'], { cwd: here })) sources.push(name);
  const texts = await Promise.all(sources.sort().map((name) => readFile(join(here, name), 'utf8')));
  return join(cache, `seeded-${await fingerprint(series, ...texts)}.sqlite`);
}

/** Builds the seeded database: 40 s with `fresh` or after a change of Tryton, 3 s after a change of the seeds. */
export async function buildSeeded(series: Series, target: string, options: { readonly fresh: boolean }): Promise<void> {
  const initial = join(cache, `initial-${await fingerprint(series)}.sqlite`);
  if (options.fresh || !(await exists(initial))) await build(initial, (dir) => initialise(series, dir));
  await build(target, async (dir) => {
    await copyFile(initial, databaseFile(dir));
    await seedIn(series, dir);
  });
}

async function fingerprint({ python, programs, pinned }: Series, ...texts: readonly string[]): Promise<string> {
  const { stdout } = await run(python, [join(programs, 'trytond'), '--version'], { env: environment });
  const packages = pinned === null ? '' : await readFile(pinned, 'utf8');
  const hash = createHash('sha256');
  for (const text of [stdout, packages, ...modules, ...texts]) hash.update(`${text}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a separate directory, so that a failed build leaves nothing in the cache. */
async function build(target: string, work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tryton-build-'));
  try {
    await mkdir(join(dir, 'data'));
    await work(dir);
    moveLog(databaseFile(dir));
    await copyFile(databaseFile(dir), `${target}.${process.pid}`);
    await rename(`${target}.${process.pid}`, target);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Moves what is only in the write-ahead log of later series to the file: the server does not when it is stopped. */
function moveLog(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

async function seedIn(series: Series, dir: string): Promise<void> {
  const server = await serve(series, dir, access.database);
  try {
    const rpc = new Rpc(`${server.url}/${access.database}/${series.calls}`);
    await rpc.login(access.user, access.password);
    await seed(rpc, series.names);
  } finally {
    await server.stop();
  }
}

async function initialise(series: Series, dir: string): Promise<void> {
  const config = await configure(dir);
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, access.password, { mode: 0o600 });
  // Tryton finds a database only if its file exists, even an empty one.
  await (await open(databaseFile(dir), 'w')).close();
  const call = (program: string, ...args: string[]) =>
    run(series.python, [program, '-c', config, '-d', access.database, ...args], {
      cwd: dir,
      env: { ...environment, TRYTONPASSFILE: passwordFile },
      maxBuffer: 100_000_000,
    });
  // One -u with all modules: if there are several, Tryton uses only the last.
  const wanted = ['-u', 'ir', 'res', ...modules, '--activate-dependencies'];
  await call(join(series.programs, 'trytond-admin'), ...wanted, '--email', 'admin@demo.example', '-p');
  for (const name of series.imports) await call(join(name.endsWith('.py') ? here : series.programs, name));
}
