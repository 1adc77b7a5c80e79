import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  constants,
  copyFile,
  glob,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Rpc } from './rpc.ts';
import { seed } from './seed.ts';
import { configure, environment, python, serve } from './server.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const cache = join(here, '../../.data/systems/tryton');

/** Name of the database, and the administrator's name and password. */
export const access = { database: 'erp', user: 'admin', password: 'admin' } as const;

const modules =
  `party product account account_product account_invoice account_invoice_stock account_payment account_asset bank
  company country currency purchase purchase_request purchase_requisition purchase_request_quotation sale stock stock_lot
  stock_supply stock_split production production_routing production_work project timesheet company_work_time`.split(
    /\s+/,
  );

/**
 * Puts a seeded database into `dir`: a copy of the cached one, which is made first where it is missing, belongs to
 * another version of Tryton or the seeds, or `fresh` asks for a new one (about 40 s).
 */
export async function provideDatabase(dir: string, options: { fresh?: boolean } = {}): Promise<void> {
  const cached = join(cache, `${await fingerprint()}.sqlite`);
  if (options.fresh || !(await exists(cached))) await build(cached);
  await mkdir(join(dir, 'data'), { recursive: true });
  await copyFile(cached, file(dir), constants.COPYFILE_FICLONE);
}

/** Whether `dir` holds a database already. */
export function hasDatabase(dir: string): Promise<boolean> {
  return exists(file(dir));
}

function file(dir: string): string {
  return join(dir, 'data', `${access.database}.sqlite`);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** Changes when Tryton, the modules or the seeds do. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const { stdout } = await run(python, ['/usr/bin/trytond', '--version'], { env: environment });
  hash.update(stdout);
  for (const name of (
    await Array.fromAsync(glob(['database.ts', 'rpc.ts', 'seed.ts', 'seed/*.ts'], { cwd: here }))
  ).sort()) {
    hash.update(await readFile(join(here, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Makes the database in a directory of its own; the rename at the end lets several processes do so at once. */
async function build(target: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'tryton-build-'));
  try {
    await initialise(dir);
    const server = await serve(dir, access.database);
    try {
      const rpc = new Rpc(`${server.url}/${access.database}/`);
      await rpc.login(access.user, access.password);
      await seed(rpc);
    } finally {
      await server.stop();
    }
    await mkdir(cache, { recursive: true });
    await copyFile(file(dir), `${target}.${process.pid}`);
    await rename(`${target}.${process.pid}`, target);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function initialise(dir: string): Promise<void> {
  const config = await configure(dir);
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, access.password, { mode: 0o600 });
  // Tryton finds only databases whose file exists, be it empty.
  await (await open(file(dir), 'w')).close();
  const call = (program: string, ...args: string[]) =>
    run(python, [`/usr/bin/${program}`, '-c', config, '-d', access.database, ...args], {
      cwd: dir,
      env: { ...environment, TRYTONPASSFILE: passwordFile },
      maxBuffer: 100_000_000,
    });
  // One -u with all modules: of several, Tryton heeds the last.
  const wanted = ['-u', 'ir', 'res', ...modules, '--activate-dependencies'];
  await call('trytond-admin', ...wanted, '--email', 'admin@demo.example', '-p');
  await call('trytond_import_currencies');
  await call('trytond_import_countries');
}
