import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal, UsageError } from '../command-line/usage.ts';

/** Opens a text in the user's editor, and returns the saved text. Throws `Refusal` if the editor fails. */
export async function editText(name: string, content: string): Promise<string> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!process.stdin.isTTY && !editor)
    throw new UsageError('✗ There is no terminal for an editor. Send --file instead.');
  const folder = await mkdtemp(join(tmpdir(), 'mapping-'));
  const file = join(folder, name);
  try {
    await writeFile(file, content);
    const child = spawn(editor || 'vi', [file], { stdio: 'inherit', shell: true });
    const [code] = await once(child, 'exit');
    if (code !== 0)
      throw new Refusal(`The editor ended with code ${code}.`, 'Set EDITOR to an editor that is installed.');
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
