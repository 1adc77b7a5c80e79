import { moveConnection } from '../src/distribution/move-connection.ts';
import { openStore } from '../src/index.ts';

/** Moves a connection in a process that a test can kill: `node moving-process.ts <database URL> <connection> <worker>`. */
const [databaseUrl = '', connectionId = '', to = ''] = process.argv.slice(2);
const store = await openStore({ databaseUrl, publicUrl: 'https://api.test', entities: {} });
const options = { connectionId, to, blockWrites: false, onStep: () => {}, onCopied: () => {} };
const { isMoved, leftovers, pause } = await moveConnection(store, options);
process.stdout.write(JSON.stringify({ isMoved, leftovers, pause }));
await store.close();
