import { ClusterRefusal } from '../src/distribution/cluster.ts';
import { moveConnection } from '../src/distribution/move-connection.ts';
import { openStore } from '../src/index.ts';

/**
 * Moves a connection in a process that a test can kill: `node moving-process.ts <database URL> <connection> <worker>`. Writes
 * what the move did as JSON, or why it was refused to the standard error.
 */
const [databaseUrl = '', connectionId = '', to = ''] = process.argv.slice(2);
const store = await openStore({ databaseUrl, publicUrl: 'https://api.test', entities: {} });
const options = { connectionId, to, blockWrites: false, onStep: () => {}, onCopied: () => {} };
try {
  process.stdout.write(JSON.stringify(await moveConnection(store, options)));
} catch (error) {
  if (!(error instanceof ClusterRefusal)) throw error;
  process.stderr.write(`${error.message} ${error.remedy}`);
  process.exitCode = 1;
} finally {
  await store.close();
}
