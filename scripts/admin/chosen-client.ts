import { applicationOfClient, listApplications, type Store } from '@unified/store';
import { didYouMean, Refusal } from '../command-line/usage.ts';

/** A client, and the application that it belongs to. */
export interface ChosenClient {
  readonly clientId: string;
  readonly applicationId: string;
}

export const clientHelp =
  '<client> is the id of a client, or the name of an application, which means its first client.';

/** The client with this id, or the first client of the application with this name. Throws `Refusal`. */
export async function chosenClient(store: Store, which: string): Promise<ChosenClient> {
  const applicationId = await applicationOfClient(store, which);
  if (applicationId !== null) return { clientId: which, applicationId };
  const all = await listApplications(store);
  const [found, other] = all.filter(({ name }) => name === which);
  if (found && !other) return { clientId: found.id, applicationId: found.id };
  if (found) throw new Refusal(`Two applications are named "${which}".`, 'Use the id of a client.');
  const names = all.map(({ name }) => name);
  throw new Refusal(
    `There is no client or application "${which}".${didYouMean(which, names)}`,
    'See: npm run admin -- application list',
  );
}
