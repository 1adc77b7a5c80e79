import { audited, issueConnectionToken, revokeOtherTokens } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { expiryOf } from '../command-line/expiry.ts';
import { filled, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { choiceFlags, choiceHelp, chosenConnection, namedConnection } from './chosen-connection.ts';
import { tokenLimits } from './token-limits.ts';

export const token: Command = {
  about: 'issue a new token for a connection',
  flags: {
    ...choiceFlags,
    name: { type: 'string' },
    expires: { type: 'string' },
    scopes: { type: 'string' },
    access: { type: 'string' },
    'revoke-others': { type: 'boolean' },
  },
  help: `Issues a new token for a connection. It is shown once; only its hash is stored.

  npm run connect -- token <connection> [options]

<connection> is its id or its name.

Options
${helpLine('name', 'What the token is for (connect)')}
${helpLine('expires', 'When it expires: 90d, 12h, or a date such as 2027-01-31 (never)')}
${helpLine('scopes', 'What it allows: read, write, passthrough, separated by commas (read,write)')}
${helpLine('access', 'Entities, with fields: "Vendor:name,currency Currency" (everything)')}
${helpLine('revoke-others', 'Revoke all other tokens of the connection')}
${choiceHelp}
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { which, problems } = namedConnection(given);
    const name = filled(given, 'name', problems) ?? 'connect';
    const expiresAt = expiryOf(given, problems);
    const limits = tokenLimits(given, problems);
    refuseProblems(problems, 'connect -- token');
    await withInstallation(async ({ store }) => {
      const connection = await chosenConnection(store, given, which);
      const wanted = { connectionId: connection.id, name, ...(expiresAt !== undefined && { expiresAt }), ...limits };
      const { issued, revoked } = await audited(store, operatorOrigin('connect token'), async (inner, record) => {
        const made = await issueConnectionToken(inner, wanted);
        await record(connection.applicationId, { action: 'token.create', target: made.id, after: wanted });
        const ended = isOn(given, 'revoke-others') ? await revokeOtherTokens(inner, connection.id, made.id) : 0;
        const after = { connectionId: connection.id, revoked: ended };
        if (ended > 0) await record(connection.applicationId, { action: 'token.revoke', target: connection.id, after });
        return { issued: made, revoked: ended };
      });
      const value = { connection, token: issued.token, tokenId: issued.id, expiresAt: expiresAt ?? null, revoked };
      const ended = revoked > 0 ? `\n\nRevoked ${revoked} other ${revoked === 1 ? 'token' : 'tokens'}.` : '';
      const until = expiresAt === undefined ? '' : ` until ${expiresAt}`;
      print(
        isOn(given, 'json'),
        value,
        `The new token of "${connection.name}"${until}, shown only here:\n\n  ${issued.token}${ended}`,
      );
    });
  },
};
