import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
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
