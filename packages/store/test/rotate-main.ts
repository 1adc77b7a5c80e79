import { loadKey, openStore, rotateDataKey } from '../src/index.ts';
import { entities } from './gadget.ts';

// A rotation of the data key in a separate process, for tests that kill it: see key-rotation.db.test.ts.
const databaseUrl = process.env.DATABASE_URL ?? '';
const key = await loadKey(process.env.MASTER_KEY, '');
const store = await openStore({ databaseUrl, publicUrl: 'https://api.test', entities, key });
await rotateDataKey(store);
await store.close();
