import {
  addMasterKey,
  audited,
  keyFromCommand,
  readKey,
  replaceKeyFile,
  resealSecrets,
  retireOtherMasterKeys,
  rotateDataKey,
  type SecretKey,
  type Store,
} from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { filled, type Given, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { readConfiguration } from '../start/configuration.ts';
import { namedArguments } from './arguments.ts';

const FINISH = 'npm run admin -- key rotate-master --finish';

const rotateMaster: Command = {
  about: 'replace the master key, which protects the keys of stored secrets',
  flags: { 'new-key-file': { type: 'string' }, 'new-key-command': { type: 'string' }, finish: { type: 'boolean' } },
  help: `Protects the keys of stored secrets with a new master key in addition to the current one. Stored secrets are not changed,
and running processes continue. Then restart each process with the new key, and finish. Without options, the key file in DATA_DIR
is replaced by a new one.

  npm run admin -- key rotate-master [options]

Options
${helpLine('new-key-file <file>', 'File with the new key: 32 bytes as base64 or hex')}
${helpLine('new-key-command <cmd>', 'Command that prints the new key; see MASTER_KEY_COMMAND')}
${helpLine('finish', 'End the use of the previous key; run this with the new one')}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const problems = [...namedArguments(given, []).problems];
    const sources = sourcesIn(given, problems);
    refuseProblems(problems, 'admin -- key rotate-master');
    await withInstallation(({ store }) =>
      isOn(given, 'finish') ? finish(store, isOn(given, 'json')) : begin(store, sources, isOn(given, 'json')),
    );
  },
};

/** Where the new key comes from. If neither is set, the key file is replaced. */
interface NewKey {
  readonly file: string | undefined;
  readonly command: string | undefined;
}

function sourcesIn(given: Given, problems: string[]): NewKey {
  const file = filled(given, 'new-key-file', problems);
  const command = filled(given, 'new-key-command', problems);
  const { key, keyCommand } = readConfiguration([], process.env);
  const chosen = [file, command, isOn(given, 'finish') || undefined].filter((each) => each !== undefined);
  if (chosen.length > 1) problems.push('Send only one of --new-key-file, --new-key-command and --finish.');
  if (chosen.length === 0 && (key ?? keyCommand) !== undefined)
    problems.push('Send --new-key-file or --new-key-command: the current key is not the file in DATA_DIR.');
  return { file, command };
}

async function begin(store: Store, { file, command }: NewKey, asJson: boolean): Promise<void> {
  // Secrets of an earlier release are encrypted with the master key itself.
  const { unreadable } = await resealSecrets(store);
  const added = { masterKey: '', dataKeys: 0, unreadable };
  const add = (next: SecretKey) =>
    audited(store, operatorOrigin('admin key rotate-master'), async (inner, record) => {
      added.dataKeys = await addMasterKey(inner, next);
      added.masterKey = next.id;
      await record(null, { action: 'key.add_master', target: next.id, after: added });
    });
  let keptKeyFile: string | undefined;
  if (file !== undefined) await add(await readKey(file));
  else if (command !== undefined) await add(await keyFromCommand(command));
  else keptKeyFile = await replaceKeyFile(readConfiguration([], process.env).dataDir, add);
  const lines = [
    `The new master key ${added.masterKey} is accepted as well. Restart each process with it, then run: ${FINISH}`,
    ...(keptKeyFile ? [`The previous key is kept in ${keptKeyFile}. Backups made until then need it.`] : []),
    ...unreadableLine(unreadable),
  ];
  print(asJson, { ...added, ...(keptKeyFile && { keptKeyFile }) }, lines.join('\n'));
}

function unreadableLine(unreadable: number): string[] {
  return unreadable > 0 ? [`${unreadable} secrets could not be decrypted and are unchanged.`] : [];
}

async function finish(store: Store, asJson: boolean): Promise<void> {
  const origin = operatorOrigin('admin key rotate-master --finish');
  const retired = await audited(store, origin, async (inner, record) => {
    const ended = await retireOtherMasterKeys(inner);
    if (ended > 0) await record(null, { action: 'key.retire_master', target: 'master', after: { retired: ended } });
    return ended;
  });
  print(asJson, { retired }, retired > 0 ? 'The previous master key is no longer accepted.' : 'Only one is in use.');
}

const rotateData: Command = {
  about: 'encrypt stored secrets with a new key',
  flags: {},
  help: `Encrypts all stored secrets with a new key while processes continue to use them. If it is interrupted, run it again.

  npm run admin -- key rotate-data [options]

Options
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- key rotate-data');
    await withInstallation(async ({ store }) => {
      const rotation = await rotateDataKey(store);
      // The secrets are encrypted again in many transactions, while other processes use them.
      await audited(store, operatorOrigin('admin key rotate-data'), (_, record) =>
        record(null, { action: 'key.rotate_data', target: 'data', after: rotation }),
      );
      const { resealed, unreadable, isContinued } = rotation;
      const lines = [
        isContinued
          ? `Completed an earlier rotation: encrypted ${resealed} secrets again. Run this again to use a new key.`
          : `Encrypted ${resealed} secrets with a new key.`,
        ...unreadableLine(unreadable),
      ];
      print(isOn(given, 'json'), rotation, lines.join('\n'));
    });
  },
};

export const masterKeyCommands = { 'rotate-master': rotateMaster, 'rotate-data': rotateData };
