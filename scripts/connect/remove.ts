import { removeConnection } from '@unified/engine';
import { type Connection, ConnectionBusy } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { type Given, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems, UsageError } from '../command-line/usage.ts';
import { step } from '../start/progress.ts';
import { ask } from './ask-secret.ts';
import { choiceFlags, choiceHelp, chosenConnection, namedConnection } from './chosen-connection.ts';

export const remove: Command = {
  about: 'delete a connection and everything that was copied through it',
  flags: { ...choiceFlags, yes: { type: 'boolean' } },
  help: `Deletes a connection: its records, writes, files, tokens and credentials. The connected system keeps all its data. This cannot be undone. A running server first stops its work for the connection.

  npm run connect -- remove <connection> [options]

<connection> is its id or its name.

Options
${helpLine('yes', 'Do not ask for confirmation')}
${choiceHelp}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { which, problems } = namedConnection(given);
    refuseProblems(problems, 'connect -- remove');
    await withInstallation(async ({ store, engine }) => {
      const connection = await chosenConnection(store, given, which);
      await confirm(given, connection);
      step(`removing "${connection.name}"; waiting for its current sync or write, up to 3 minutes`);
      const of = { applicationId: connection.applicationId, connectionId: connection.id };
      const origin = operatorOrigin('connect remove');
      const removed = await removeConnection({ store, engine, origin }, of).catch(busy);
      const text = removed
        ? `Removed "${connection.name}", connection ${connection.id}.`
        : 'It had already been removed.';
      print(isOn(given, 'json'), { connection, removed }, text);
    });
  },
};

async function confirm(given: Given, { name, platform, id }: Connection): Promise<void> {
  if (isOn(given, 'yes')) return;
  if (!process.stdin.isTTY) throw new UsageError('✗ Removing a connection requires confirmation. Add --yes.');
  process.stderr.write(`This deletes connection ${id} (${platform}) and all data that was copied through it.\n`);
  const [typed] = await ask([{ title: `Type its name, ${name}, to continue`, shown: true }]);
  if (typed !== name) throw new Refusal('The connection was not removed.', `The name entered is not "${name}".`);
}

function busy(error: unknown): never {
  if (!(error instanceof ConnectionBusy)) throw error;
  const remedy = 'It is deactivated. Run the command again when the connected system responds, or stop the workers.';
  throw new Refusal('A worker is still working for the connection, so it was not removed.', remedy, { cause: error });
}
