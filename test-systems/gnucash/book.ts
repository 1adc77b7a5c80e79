import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../temporary-folder.ts';

/** The figures that GnuCash itself computes for a book. Amounts are fractions: `60966/100`. */
export interface Figures {
  /** By code. Names include those of the parent accounts. */
  readonly accounts: Readonly<Record<string, { readonly name: string; readonly balance: string }>>;
  /** Invoices, bills, expense vouchers and credit notes by number. */
  readonly documents: Readonly<Record<string, DocumentFigures>>;
}

export interface DocumentFigures {
  readonly isPosted: boolean;
  readonly isPaid: boolean;
  readonly total: string;
  readonly subtotal: string;
  readonly tax: string;
  /** Open debit; null for drafts, as are the dates. */
  readonly open: string | null;
  readonly date: string | null;
  readonly dueDate: string | null;
  readonly lines: readonly { readonly description: string; readonly quantity: string; readonly value: string }[];
}

/**
 * Creates a book with the workshop of `seed.py` in a new file or an empty database, such as `sqlite3:///folder/book.gnucash` or
 * `mysql://user:password@127.0.0.1:3306/database`, and returns its figures.
 *
 * @throws {Error} when GnuCash is not installed (`install.sh`)
 */
export async function createBook(url: string): Promise<Figures> {
  await using started = new AsyncDisposableStack();
  const home = await temporaryFolder('gnucash-home-', started);
  await run('seed.py', url, home);
  return JSON.parse(await run('figures.py', url, home));
}

/**
 * Runs a script with Debian's Python, the only one that GnuCash has an interface for, and with an environment that hides the
 * settings and display of the user.
 */
async function run(script: string, url: string, home: string): Promise<string> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const env = { HOME: home, GNC_DATA_HOME: home, PATH: process.env.PATH, TZ: 'UTC' };
  return (await promisify(execFile)('/usr/bin/python3', ['-B', path, url], { env })).stdout;
}
