import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { namedArguments } from './arguments.ts';

export const migrateCommand: Command = {
  about: 'update the database to this release, and end',
  flags: {},
  help: `Updates the tables of the database to this release, as the first process that starts does, and ends. Deployments run it before
they start the processes of a release. Creates the tables in an empty database that DATABASE_URL names. Does nothing if the
database has this release.

  npm run admin -- migrate [options]

Options
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- migrate');
    // Every command updates the database that it opens.
    const report = () =>
      print(isOn(given, 'json'), { isCurrent: true }, 'The database has the tables of this release.');
    await withInstallation(async () => report(), { mayCreateTables: true });
  },
};
