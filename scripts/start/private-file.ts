import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes JSON that contains secrets: only the user of this process may read the file, and no reader sees an incomplete file. */
export async function writePrivateFile(path: string, content: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
