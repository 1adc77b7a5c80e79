import { issueManagementTokens } from '@unified/server';
import { audited, endAuthorizationsOfClient, revokeClientTokens } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { namedArguments } from './arguments.ts';
import { chosenClient, clientHelp } from './chosen-client.ts';

const add: Command = {
  about: 'issue an access token for the Management API',
  flags: {},
  help: `Issues an access token for the Management API, valid for 30 days, and a refresh token, like POST /oauth/token with the secret
of the client. For tokens of a connection, see: npm run connect -- token --help

  npm run admin -- token add <client> [options]

${clientHelp}

Options
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['client']);
    refuseProblems(problems, 'admin -- token add');
    await withInstallation(async ({ store }) => {
      const { applicationId, clientId } = await chosenClient(store, texts.client);
      const origin = operatorOrigin('admin token add');
      const { accessToken, refreshToken, until } = await audited(store, origin, async (inner, record) => {
        const { expiresAt, ...tokens } = await issueManagementTokens(inner, clientId);
        const issued = { clientId, expiresAt: new Date(expiresAt).toISOString() };
        await record(applicationId, { action: 'token.create', target: clientId, after: issued });
        return { ...tokens, until: issued.expiresAt };
      });
      const text = `Access token until ${until}:\n\n  ${accessToken}\n\nRefresh token:\n\n  ${refreshToken}`;
      print(isOn(given, 'json'), { clientId, accessToken, refreshToken, expiresAt: until }, text);
    });
  },
};

const revoke: Command = {
  about: 'revoke all OAuth tokens of a client',
  flags: {},
  help: `Revokes all access and refresh tokens that were issued to a client, for the Management API, for connections and for agents of
users, for example after its secret has leaked. They stop working within 5 seconds.

  npm run admin -- token revoke <client> [options]

${clientHelp}

Options
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['client']);
    refuseProblems(problems, 'admin -- token revoke');
    await withInstallation(async ({ store }) => {
      const { applicationId, clientId } = await chosenClient(store, texts.client);
      const revoked = await audited(store, operatorOrigin('admin token revoke'), async (inner, record) => {
        const count = (await revokeClientTokens(inner, clientId)) + (await endAuthorizationsOfClient(inner, clientId));
        const after = { clientId, revoked: count };
        if (count > 0) await record(applicationId, { action: 'token.revoke', target: clientId, after });
        return count;
      });
      const text = `Revoked the tokens of ${revoked} ${revoked === 1 ? 'grant' : 'grants'} of client ${clientId}.`;
      print(isOn(given, 'json'), { clientId, revoked }, text);
    });
  },
};

export const tokenCommands = { add, revoke };
