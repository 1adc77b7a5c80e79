import { issueConnectionToken, revokeOtherTokens } from '@unified/store';
import { choiceFlags, choiceHelp, chosenConnection, namedConnection } from './chosen-connection.ts';
import type { Command } from './command.ts';
import { type Given, isOn, textOf } from './flags.ts';
import { withInstallation } from './installation.ts';
import { print } from './printing.ts';
import { filled, helpLine } from './setting-flags.ts';
import { refuseProblems } from './usage.ts';

export const token: Command = {
  about: 'issue a new token for a connection',
  flags: {
    ...choiceFlags,
    name: { type: 'string' },
    expires: { type: 'string' },
    'revoke-others': { type: 'boolean' },
  },
  help: `Issues a new token for a connection. It is shown once; only its hash is stored.

  npm run connect -- token <connection> [options]

<connection> is its id or its name.

Options
${helpLine('name', 'What the token is for (connect)')}
${helpLine('expires', 'When it expires: 90d, 12h, or a date such as 2027-01-31 (never)')}
${helpLine('revoke-others', 'Revoke all other tokens of the connection')}
${choiceHelp}
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { which, problems } = namedConnection(given);
    const name = filled(given, 'name', problems) ?? 'connect';
    const expiresAt = expiryOf(given, problems);
    refuseProblems(problems, 'token');
    await withInstallation(async ({ store }) => {
      const connection = await chosenConnection(store, given, which);
      const wanted = { connectionId: connection.id, name, ...(expiresAt !== undefined && { expiresAt }) };
      const issued = await issueConnectionToken(store, wanted);
      const revoked = isOn(given, 'revoke-others') ? await revokeOtherTokens(store, connection.id, issued.id) : 0;
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

const HOURS = { h: 1, d: 24 } as const;

/** RFC 3339; undefined: it does not expire. */
function expiryOf(given: Given, problems: string[]): string | undefined {
  const text = textOf(given, 'expires');
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const at = unit
    ? Date.now() + Number(number) * HOURS[unit as keyof typeof HOURS] * 3_600_000
    : /^\d{4}-\d{2}-\d{2}/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isFinite(at) && at > Date.now()) return new Date(at).toISOString();
  problems.push(`--expires must be a time in the future, such as 90d or 2099-01-31, not "${text}".`);
  return undefined;
}
