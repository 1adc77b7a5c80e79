import { ConnectionNotFound, findConnection, type Within } from '@unified/engine';
import { type Connection, listApplications, type Store } from '@unified/store';
import { type Flags, type Given, textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { didYouMean, Refusal } from '../command-line/usage.ts';

/** Options of the commands for one connection. */
export const choiceFlags = { application: { type: 'string' } } as const satisfies Flags;

export const choiceHelp = helpLine(
  'application',
  'Only connections of this application; required if two applications have a connection with this name',
);

/** The id or name in the command line, and other errors in it. */
export function namedConnection(given: Given): { readonly which: string; readonly problems: string[] } {
  const [which = '', ...rest] = given.positionals;
  const unnamed = which === '' ? ['Send the id or name of the connection.'] : [];
  return { which, problems: [...given.problems, ...unnamed, ...rest.map((text) => `"${text}" is not expected here.`)] };
}

/** The application that the command is limited to; without the option, all of this installation. Throws `Refusal`. */
export async function withinOf(store: Store, given: Given): Promise<Within> {
  const wanted = textOf(given, 'application');
  if (wanted === undefined) return 'every application';
  const all = await listApplications(store);
  const [found] = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (found) return { applicationId: found.id };
  const names = all.map(({ name }) => name);
  throw new Refusal(
    `There is no application "${wanted}".${didYouMean(wanted, names)}`,
    `The applications are: ${names.map((name) => `"${name}"`).join(', ') || 'none'}.`,
  );
}

/** The connection with the id or name in the command line. Throws `Refusal`. */
export async function chosenConnection(store: Store, given: Given, idOrName: string): Promise<Connection> {
  try {
    return await findConnection(store, await withinOf(store, given), idOrName);
  } catch (error) {
    if (!(error instanceof ConnectionNotFound)) throw error;
    const { candidates, message } = error;
    const isAmbiguous = candidates.every(({ name }) => name === idOrName) && candidates.length > 0;
    if (isAmbiguous) {
      const ids = candidates.map(({ id, platform }) => `${id} (${platform})`).join(', ');
      throw new Refusal(`${message}.`, `Use its id: ${ids}; or add --application.`);
    }
    const meant = didYouMean(
      idOrName,
      candidates.map(({ name }) => name),
    );
    throw new Refusal(`${message}.${meant}`, 'See: npm run connect -- list');
  }
}
