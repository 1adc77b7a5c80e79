import { randomBytes, randomInt } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** What is kept of a server between starts. The file is readable by its owner only. */
export interface Remembered {
  readonly port: number;
  readonly password: string;
  /** Process that started the server last. */
  readonly owner: number;
}

const fileOf = (dataDir: string) => join(dataDir, 'postgres.json');

/** Reads what an earlier start left, or null at the first. */
export async function recall(dataDir: string): Promise<Remembered | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : parsed(text, fileOf(dataDir));
}

function parsed(text: string, file: string): Remembered {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged. It holds the password of the database: restore it from a backup.`, { cause });
  }
}

/** Keeps it for the next start; a crash in between leaves the old file whole. */
export async function remember(dataDir: string, remembered: Remembered): Promise<void> {
  const draft = `${fileOf(dataDir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(remembered)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}

/** A superuser password that nobody has to type. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Where ports are looked for: below those that operating systems hand out by themselves, so that none takes it meanwhile. */
const PORTS = { from: 10_240, below: 32_768 };

/** The wanted port when it is free on this machine, else another one that is. */
export async function freePort(wanted = randomInt(PORTS.from, PORTS.below)): Promise<number> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return isFree ? wanted : freePort();
}
