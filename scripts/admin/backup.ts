import { resolve } from 'node:path';
import { backUp, restoreBackup, startEmbedded } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { print } from '../command-line/printing.ts';
import { refuseMissingDirectory } from '../command-line/refuse-missing.ts';
import { Refusal, refuseProblems } from '../command-line/usage.ts';
import { passing, step } from '../start/progress.ts';
import { namedArguments } from './arguments.ts';
import { embeddedFolder } from './embedded-folder.ts';

const KEY = 'It does not contain the master key: back up UNIFIED_KEY, or the file `key` in DATA_DIR, in another place.';

/** The error of a step as a refusal, which is shown without its stack. */
function refused(error: unknown, remedy: string): never {
  throw new Refusal(error instanceof Error ? error.message : String(error), remedy, { cause: error });
}

/** Shows the share that has been copied, as a line that the next one replaces. */
const percentOf = (copied: number, total: number) => passing(`copying: ${Math.floor((100 * copied) / (total || 1))} %`);

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

export const backupCommand: Command = {
  about: 'copy the embedded database to a new folder, while it is used',
  flags: {},
  help: `Copies the embedded database to a new folder while servers continue to use it. \`restore\` brings it back, as it was when the
copy ended. The folder contains passwords of the database; only its owner can read it.
${KEY}
Nor does it contain files in a bucket (BLOB_STORE).

  npm run admin -- backup <folder> [options]

Options
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['folder']);
    refuseProblems(problems, 'admin -- backup');
    const dataDir = embeddedFolder('Use pg_dump and pg_restore: docs/operations.md shows how.');
    await refuseMissingDirectory(dataDir);
    const target = resolve(texts.folder);
    const server = await startEmbedded({ dataDir, log: step });
    try {
      const note = await backUp({ dataDir, target, onProgress: percentOf }).catch((error: unknown) =>
        refused(error, 'Nothing was backed up.'),
      );
      step(`copied ${megabytes(note.bytes)}`);
      print(isOn(given, 'json'), { folder: target, ...note }, `The backup is in ${target}.\n${KEY}`);
    } finally {
      await server.stop();
    }
  },
};

export const restoreCommand: Command = {
  about: 'copy a backup to an empty DATA_DIR',
  flags: {},
  help: `Copies a backup of the embedded database to DATA_DIR, which must not contain a database. Put the master key there as well, or
set UNIFIED_KEY; then start.

  npm run admin -- restore <folder> [options]

Options
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['folder']);
    refuseProblems(problems, 'admin -- restore');
    const dataDir = embeddedFolder('Use pg_dump and pg_restore: docs/operations.md shows how.');
    const from = resolve(texts.folder);
    const note = await restoreBackup({ from, dataDir, log: step, onProgress: percentOf }).catch((error: unknown) =>
      refused(error, 'Nothing was restored.'),
    );
    step(`copied ${megabytes(note.bytes)}`);
    const text = `The database is in ${dataDir}, as it was at ${note.endedAt}.\nWith its master key, start it: npm start`;
    print(isOn(given, 'json'), { dataDir, ...note }, text);
  },
};
