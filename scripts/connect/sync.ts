import type { SyncMode } from '@unified/engine';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems } from '../command-line/usage.ts';
import { choiceFlags, choiceHelp, chosenConnection, namedConnection } from './chosen-connection.ts';

export const sync: Command = {
  about: 'synchronize a connection now',
  flags: { ...choiceFlags, full: { type: 'boolean' } },
  help: `Requests a sync of all streams of a connection, including those whose last run failed.

  npm run connect -- sync <connection> [options]

<connection> is its id or its name.

Options
${helpLine('full', 'Read all rows, instead of only those that changed')}
${choiceHelp}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { which, problems } = namedConnection(given);
    refuseProblems(problems, 'connect -- sync');
    const mode: SyncMode = isOn(given, 'full') ? 'full' : 'incremental';
    await withInstallation(async ({ store, engine }) => {
      const connection = await chosenConnection(store, given, which);
      const { id, name, status } = connection;
      if (status !== 'active')
        throw new Refusal(
          `The connection "${name}" is ${status}, so it is not synchronized.`,
          'Activate it with the Management API or in the console.',
        );
      await engine.requestSync(id, mode);
      const text = `Requested a sync of "${name}". A running server begins it immediately; otherwise the next \`npm start\` does.
To see its outcome: npm run connect -- list`;
      print(isOn(given, 'json'), { connection, mode }, text);
    });
  },
};
