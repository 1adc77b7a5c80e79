import { audited, type ClientSecret, createClientSecret, listClientSecrets, revokeClientSecret } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { expiryOf } from '../command-line/expiry.ts';
import { filled, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems } from '../command-line/usage.ts';
import { namedArguments } from './arguments.ts';
import { chosenClient, clientHelp } from './chosen-client.ts';

const list: Command = {
  about: 'list the secrets of a client',
  flags: {},
  help: `Lists the secrets of a client without their values.

  npm run admin -- secret list <client> [options]

${clientHelp}

Options
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['client']);
    refuseProblems(problems, 'admin -- secret list');
    await withInstallation(async ({ store }) => {
      const { applicationId, clientId } = await chosenClient(store, texts.client);
      const secrets = await listClientSecrets(store.application(applicationId), clientId);
      if (!secrets) throw noClient(clientId);
      print(isOn(given, 'json'), { secrets }, secrets.map(lineOf).join('\n') || 'The client has no secret.');
    });
  },
};

function lineOf(secret: ClientSecret): string {
  const { id, name, hint, lastUsedAt } = secret;
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`;
  return [id, `…${hint}`, `${stateOf(secret)}, ${used}`, ...(name === null ? [] : [name])].join('  ');
}

function stateOf({ expiresAt, revokedAt }: ClientSecret): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'valid';
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'expires'} ${expiresAt}`;
}

const add: Command = {
  about: 'add a secret to a client',
  flags: { name: { type: 'string' }, expires: { type: 'string' } },
  help: `Adds a secret to a client. Its other secrets stay valid. To replace a secret without interruption, add one, use it
everywhere, then revoke the previous one.

  npm run admin -- secret add <client> [options]

${clientHelp}

Options
${helpLine('name', 'What the secret is for')}
${helpLine('expires', 'When it expires: 90d, 12h, or a date such as 2027-01-31 (never)')}
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['client']);
    const name = filled(given, 'name', problems);
    const expiresAt = expiryOf(given, problems);
    refuseProblems(problems, 'admin -- secret add');
    await withInstallation(async ({ store }) => {
      const { applicationId, clientId } = await chosenClient(store, texts.client);
      const made = await audited(store, operatorOrigin('admin secret add'), async (inner, record) => {
        const secret = await createClientSecret(inner.application(applicationId), { clientId, name, expiresAt });
        if (!secret) throw noClient(clientId);
        await record(applicationId, { action: 'secret.create', target: secret.id, after: { ...secret, clientId } });
        return secret;
      });
      const text = `New secret of client ${clientId}:\n\n  id      ${made.id}\n  secret  ${made.secret}`;
      print(isOn(given, 'json'), { clientId, ...made }, text);
    });
  },
};

const revoke: Command = {
  about: 'revoke a secret of a client',
  flags: {},
  help: `Revokes a secret. Tokens that were issued with it stay valid; \`token revoke\` revokes them.

  npm run admin -- secret revoke <client> <secret> [options]

${clientHelp} <secret> is the id of the secret.

Options
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['client', 'secret']);
    refuseProblems(problems, 'admin -- secret revoke');
    await withInstallation(async ({ store }) => {
      const { applicationId, clientId } = await chosenClient(store, texts.client);
      const { secret: id } = texts;
      await audited(store, operatorOrigin('admin secret revoke'), async (inner, record) => {
        const secret = await revokeClientSecret(inner.application(applicationId), clientId, id);
        if (!secret)
          throw new Refusal(`The client has no valid secret ${id}.`, `See: npm run admin -- secret list ${clientId}`);
        const after = { ...secret, clientId };
        await record(applicationId, {
          ...{ action: 'secret.revoke', target: id },
          ...{ before: { ...after, revokedAt: null }, after },
        });
      });
      print(isOn(given, 'json'), { clientId, id, revoked: true }, `Revoked secret ${id}.`);
    });
  },
};

function noClient(clientId: string): Refusal {
  return new Refusal(`There is no client ${clientId}.`, 'See: npm run admin -- application list');
}

export const secretCommands = { list, add, revoke };
