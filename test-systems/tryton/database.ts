import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Rpc } from './rpc.ts';
import { seed } from './seed.ts';
import type { Series } from './series.ts';
import { configure, environment, serve } from './server.ts';
import { copyDatabase, exists, type Storage } from './storage.ts';

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

/** A series of Tryton with the kind of its database. */
export interface Kind {
  readonly series: Series;
  readonly storage: Storage;
}

/** File or folder in the cache for the seeded database of this version of Tryton, the modules and the seeds. */
export async function seededFile({ series, storage }: Kind): Promise<string> {
  const sources: string[] = [];
  for await (const name of glob(['rpc.ts', 'seed.ts', 'series.ts', 'seed/*.ts'], { cwd: here })) sources.push(name);
  const texts = await Promise.all(sources.sort().map((name) => readFile(join(here, name), 'utf8')));
  return join(cache, `seeded-${await fingerprint(series, ...texts)}${storage.ending}`);
}

/** Builds the seeded database: 40 s with `fresh` or after a change of Tryton, 3 s after a change of the seeds. */
export async function buildSeeded(kind: Kind, target: string, options: { readonly fresh: boolean }): Promise<void> {
  const { series, storage } = kind;
  const initial = join(cache, `initial-${await fingerprint(series)}${storage.ending}`);
  if (options.fresh || !(await exists(initial))) await build(storage, initial, (dir) => initialise(kind, dir));
  await build(storage, target, async (dir) => {
    await copyDatabase(initial, storage.pathIn(dir));
    await seedIn(kind, dir);
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
async function build(storage: Storage, target: string, work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tryton-build-'));
  try {
    await mkdir(join(dir, 'data'));
    await work(dir);
    await storage.settle(dir);
    await copyDatabase(storage.pathIn(dir), `${target}.${process.pid}`);
    await rm(target, { recursive: true, force: true });
    await rename(`${target}.${process.pid}`, target);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function seedIn(kind: Kind, dir: string): Promise<void> {
  const { series } = kind;
  const server = await serve(kind, dir, access.database);
  try {
    const rpc = new Rpc(`${server.url}/${access.database}/${series.calls}`);
    await rpc.login(access.user, access.password);
    await seed(rpc, series.names);
  } finally {
    await server.stop();
  }
}

async function initialise({ series, storage }: Kind, dir: string): Promise<void> {
  await storage.create(dir, access.database);
  const opened = await storage.open(dir, access.database);
  try {
    await fill(series, dir, await configure(dir, opened.settings));
  } finally {
    await opened.close();
  }
}

async function fill(series: Series, dir: string, config: string): Promise<void> {
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, access.password, { mode: 0o600 });
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
