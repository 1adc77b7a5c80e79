import { replaceSigningKey } from '@unified/server';
import { audited, verificationKeys } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { namedArguments } from './arguments.ts';

const list: Command = {
  about: 'list the keys that sign access tokens',
  flags: {},
  help: `Lists the keys of all access tokens that can be valid, newest first. The first one signs.

  npm run admin -- key list [options]

Options
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- key list');
    await withInstallation(async ({ store }) => {
      const stored = await verificationKeys(store);
      const keys = stored.map(({ id, createdAt }, index) => ({ id, createdAt, signs: index === 0 }));
      const lines = keys.map(({ id, createdAt, signs }) => `${id}  ${createdAt}  ${signs ? 'signs' : 'verifies'}`);
      print(isOn(given, 'json'), { keys }, lines.join('\n') || 'There is no key yet; the first token creates one.');
    });
  },
};

const rotate: Command = {
  about: 'replace the key that signs access tokens',
  flags: {},
  help: `Creates a new key, which signs from now on. Tokens signed with earlier keys stay valid until they expire. Keys are replaced
every 90 days automatically. Running servers use the new key within a minute.

  npm run admin -- key rotate [options]

Options
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- key rotate');
    await withInstallation(async ({ store }) => {
      const { id, createdAt } = await audited(store, operatorOrigin('admin key rotate'), async (inner, record) => {
        const key = await replaceSigningKey(inner);
        await record(null, { action: 'key.rotate', target: key.id, after: key });
        return key;
      });
      print(isOn(given, 'json'), { id, createdAt }, `Key ${id} signs from now on.`);
    });
  },
};

export const keyCommands = { list, rotate };
