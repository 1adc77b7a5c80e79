import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type EmbeddedProcess, startProcess } from '../../test/embedded-process.ts';
import { startEmbedded } from './start-embedded.ts';

// Starts processes and databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const dataDir = await mkdtemp(join(tmpdir(), 'unified-host-'));
const ended: EmbeddedProcess[] = [];
afterAll(async () => {
  for (const each of ended) await each.reap();
  await rm(dataDir, { recursive: true, force: true });
});

async function otherProcess(): Promise<EmbeddedProcess> {
  const process = await startProcess(dataDir);
  ended.push(process);
  return process;
}

test.runIf(process.platform === 'linux')(
  'a folder that processes of another host use is refused with the way out, until they have stopped',
  async () => {
    const other = await otherProcess();
    const file = join(dataDir, 'host.json');
    const here = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify({ name: 'storage-2', identity: 'another boot and other namespaces' }));
    await expect(startEmbedded({ dataDir })).rejects.toMatchObject({
      message: expect.stringContaining('Processes on another host, storage-2, use the database'),
      remedy: expect.stringContaining('npm run admin -- move --to <DATABASE_URL>'),
    });
    await other.terminate();
    const server = await startEmbedded({ dataDir });
    expect(await readFile(file, 'utf8')).toBe(here);
    await server.stop();
  },
);

test('a process that uses a folder alone keeps others out, and is refused while there are others', async () => {
  const other = await otherProcess();
  await expect(startEmbedded({ dataDir, alone: true })).rejects.toThrow('A process uses the database in');
  await other.terminate();
  const server = await startEmbedded({ dataDir, alone: true });
  await expect(startEmbedded({ dataDir })).rejects.toThrow('is being moved');
  await server.stop();
  await (await startEmbedded({ dataDir })).stop();
});
