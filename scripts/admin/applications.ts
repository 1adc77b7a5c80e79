import { applicationSecret, audited, createApplication, listApplications } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems } from '../command-line/usage.ts';
import { namedArguments } from './arguments.ts';

const list: Command = {
  about: 'list the applications',
  flags: {},
  help: `Lists the applications of this installation, oldest first. The id of an application is also the id of its first client.

  npm run admin -- application list [options]

Options
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- application list');
    await withInstallation(async ({ store }) => {
      const applications = await listApplications(store);
      const lines = applications.map(({ id, name, createdAt }) => `${id}  ${createdAt}  ${name}`);
      print(isOn(given, 'json'), { applications }, lines.join('\n') || 'There is no application yet.');
    });
  },
};

const add: Command = {
  about: 'create an application with its first client and secret',
  flags: {},
  help: `Creates an application: the owner of connections, with its own rate limits. Prints the id and the secret of its first client,
which uses them to obtain tokens at /oauth/token.

  npm run admin -- application add <name> [options]

Options
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['name']);
    refuseProblems(problems, 'admin -- application add');
    await withInstallation(async ({ store }) => {
      const application = await audited(store, operatorOrigin('admin application add'), async (inner, record) => {
        if ((await listApplications(inner)).some(({ name }) => name === texts.name)) throw taken(texts.name);
        const made = await createApplication(inner, texts.name);
        await record(made.id, { action: 'application.create', target: made.id, after: made });
        return made;
      });
      const { id, name } = application;
      const clientSecret = await applicationSecret(store, id);
      const text = `"${name}"\n\n  client id      ${id}\n  client secret  ${clientSecret}\n\n${nextStep(store.publicUrl, id)}`;
      print(isOn(given, 'json'), { application, clientId: id, clientSecret }, text);
    });
  },
};

/** Commands find applications by their names. */
function taken(name: string): Refusal {
  return new Refusal(
    `There is an application "${name}".`,
    'Choose another name. See: npm run admin -- application list',
  );
}

/** How the application obtains its first token. The secret is left out: it does not belong in the history of a shell. */
function nextStep(publicUrl: string, clientId: string): string {
  return `Next, request an access token for the Management API. curl asks for the secret:

  curl -sS ${publicUrl}/oauth/token -u ${clientId} -d grant_type=client_credentials`;
}

export const applicationCommands = { list, add };
