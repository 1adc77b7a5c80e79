import { joinInstallation, openStore } from '../src/index.ts';
import { entities } from './gadget.ts';

// A process of an installation, for tests that kill it: see join-installation.db.test.ts.
const [databaseUrl = '', publicUrl = ''] = [process.env.DATABASE_URL, process.env.PUBLIC_URL];
const fail = (error: Error) => {
  throw error;
};
const wanted = { url: publicUrl, isSet: true, serves: true };
const membership = await joinInstallation({ databaseUrl, wanted, onError: fail, onMoved: fail });
await membership.settle(await openStore({ databaseUrl, publicUrl, entities }));
process.send?.('running');
// Without its parent, it would never end.
process.on('disconnect', () => process.exit());
