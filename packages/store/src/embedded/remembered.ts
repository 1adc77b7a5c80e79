import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Login } from './logins.ts';

/** The data of a server that is stored between starts. The file is readable only by its owner. */
export interface Remembered {
  readonly port: number;
  /** Password of the superuser. */
  readonly password: string;
  readonly logins: Readonly<Record<Login, string>>;
  /** Whether the cluster was created. If it is missing afterwards, it was lost or is not mounted. */
  readonly hasCluster?: boolean;
}

/** Earlier releases used the superuser for everything. */
type Stored = Omit<Remembered, 'logins'> & Partial<Remembered>;

/** URL of a database for the superuser. */
export function superuserUrl({ port, password }: Pick<Remembered, 'port' | 'password'>, database = 'postgres'): string {
  return urlOf('postgres', password, port, database);
}

/** URL of a database for a login. */
export function loginUrl({ port, logins }: Remembered, login: Login, database: string): string {
  return urlOf(login, logins[login], port, database);
}

function urlOf(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

const fileOf = (dataDir: string) => join(dataDir, 'postgres.json');

/** Reads the data of an earlier start; null at the first start. */
export async function recall(dataDir: string): Promise<Stored | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : parsed(text, fileOf(dataDir));
}

/** Whether this directory has been the data directory of an embedded server. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return (await recall(dataDir)) !== null;
}

function parsed(text: string, file: string): Stored {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged. It contains the password of the database: restore it from a backup.`, {
      cause,
    });
  }
}

/**
 * Stores the port for the next start, and the passwords, which are created if they are missing. If it crashes, the old file
 * remains.
 */
export async function remember(dataDir: string, port: number, { hasCluster = false } = {}): Promise<Remembered> {
  const before = await recall(dataDir);
  const { password = newPassword(), logins = { unified_owner: newPassword(), unified_system: newPassword() } } =
    before ?? {};
  const isMade = hasCluster || before?.hasCluster === true;
  const remembered = { port, password, logins, ...(isMade && { hasCluster: true }) };
  const text = JSON.stringify(remembered);
  // A full disk must not prevent a start that changes nothing.
  if (text === JSON.stringify(before)) return remembered;
  const draft = `${fileOf(dataDir)}.${process.pid}`;
  await writeFile(draft, `${text}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
  return remembered;
}

/** A password that no one has to type. */
function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
