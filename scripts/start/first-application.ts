import { join } from 'node:path';
import { applicationNamed, applicationSecret, listApplications, type Store } from '@unified/store';
import { writePrivateFile } from './private-file.ts';

/** `npm run connect` uses the same application by default. */
const NAME = 'Default';

/**
 * Creates the first application of an installation that has none, and writes the credentials of its client to
 * `application.json`. Returns the path of that file; undefined if there already was an application.
 */
export async function createFirstApplication(store: Store, dataDir: string): Promise<string | undefined> {
  if ((await listApplications(store)).length > 0) return undefined;
  // Another process may do the same, so both get the same application.
  const { id: clientId } = await applicationNamed(store, NAME);
  const clientSecret = (await applicationSecret(store, clientId)) ?? '';
  const path = join(dataDir, 'application.json');
  await writePrivateFile(path, { apiRoot: store.publicUrl, clientId, clientSecret });
  return path;
}
