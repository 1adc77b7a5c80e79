import { cpSync, mkdtempSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Copies the exports of an example to a new folder, so that they were not written just now. Returns the folder. */
export function copyExports(example: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  cpSync(join(example, 'exports'), join(folder, 'exports'), { recursive: true });
  const written = Date.now() / 1000 - 3600;
  for (const name of readdirSync(join(folder, 'exports'))) utimesSync(join(folder, 'exports', name), written, written);
  return folder;
}
