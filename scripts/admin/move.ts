import { entities } from '@unified/contract';
import { keyFromCommand, loadKey, type Move, MoveError, moveInstallation, type ProvenTable } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { filled, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems } from '../command-line/usage.ts';
import { type Configuration, readConfiguration } from '../start/configuration.ts';
import { passing, step } from '../start/progress.ts';
import { namedArguments } from './arguments.ts';
import { embeddedFolder } from './embedded-folder.ts';

const FORM = '--to is the address of a database: postgres://user:password@host:5432/database.';

export const moveCommand: Command = {
  about: 'copy the embedded database to your own PostgreSQL, and use that from now on',
  flags: { to: { type: 'string' } },
  help: `Copies everything in the embedded database to an empty database of your own PostgreSQL, compares the number and a hash of the rows of
each table, and marks DATA_DIR as moved. Stop the service first. If the command is interrupted, nothing has changed: run it again.

  npm run admin -- move --to <DATABASE_URL> [options]

Afterwards start with DATABASE_URL set to the same address. The file \`key\` in DATA_DIR, or UNIFIED_KEY, is needed as before. Not
copied: the database of the sandbox company, which the next start creates again, and files in a bucket (BLOB_STORE), which stay there.

Options
${helpLine('to <DATABASE_URL>', 'PostgreSQL 15 to 18, with a database and two roles: docs/operations.md. PGPASSWORD can contain the password')}
${helpLine('json', 'Print the result as JSON, with the rows and the hash of each table')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const problems = [...namedArguments(given, []).problems];
    const to = filled(given, 'to', problems);
    if (to === undefined) problems.push(`Send --to. ${FORM}`);
    else if (!/^postgres(ql)?:$/.test(URL.parse(to)?.protocol ?? '')) problems.push(FORM);
    refuseProblems(problems, 'admin -- move');
    const dataDir = embeddedFolder(
      'Run it without DATABASE_URL: the embedded database in DATA_DIR is moved to the database that --to names.',
    );
    const move = await moved({ ...readConfiguration([], process.env), dataDir }, to ?? '');
    print(isOn(given, 'json'), move, summaryOf(move, dataDir));
  },
};

async function moved({ dataDir, address, key, keyCommand }: Configuration, to: string): Promise<Move> {
  try {
    return await moveInstallation({
      ...{ dataDir, to, entities, publicUrl: address.url, log: step },
      loadKey: () => (keyCommand === undefined ? loadKey(key, dataDir) : keyFromCommand(keyCommand)),
      onTable: (table, place, of) => passing(`table ${place} of ${of}: ${table}`),
      onProven: showTable,
    });
  } catch (error) {
    if (error instanceof MoveError) throw new Refusal(error.message, error.remedy, { cause: error });
    throw error;
  }
}

function showTable({ table, rows }: ProvenTable): void {
  if (rows > 0)
    step(`${table}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}, the same in both databases`);
}

function summaryOf({ to, isCopied, tables }: Move, dataDir: string): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en-US');
  const done = isCopied ? 'Copied' : 'An earlier move had copied';
  return `${done} ${rows} rows of ${tables.length} tables to ${to}. The number and the hash of the rows of each table are the same in both databases.
From now on, start with DATABASE_URL set to this database; without it, a start is refused. Keep ${dataDir}: it contains the key of stored
credentials, unless UNIFIED_KEY or MASTER_KEY_COMMAND is set, and the database as it was. On other machines, set UNIFIED_KEY to that key.`;
}
