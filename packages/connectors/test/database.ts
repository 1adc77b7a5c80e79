import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@unified/store';

/** Tidying up in the background would be an open transaction, which holds back the marks of incremental passes. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

/** A PostgreSQL of its own for a test file, of which the test is the administrator; `stop` removes it. */
export async function testDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connectors-'));
  const { url, stop } = await startEmbedded({ dataDir, settings });
  const administrator = new URL(url);
  const { password } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
  Object.assign(administrator, { username: 'postgres', password });
  return {
    url: administrator.href,
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
