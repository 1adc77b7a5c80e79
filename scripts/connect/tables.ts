import {
  openDriver,
  type Platform,
  platformIds,
  platformOf,
  type SystemColumn,
  type SystemTable,
} from '@unified/connectors';
import { connectionSettings } from '@unified/store';
import { type Given, isOn, ownFlags, readFlags, wantsHelp } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems, UsageError } from '../command-line/usage.ts';
import { columnsOf, everyItem } from './catalog-pages.ts';
import { choiceFlags, choiceHelp, chosenConnection } from './chosen-connection.ts';
import { completeSettings } from './complete-settings.ts';
import { type Settings, settingFlags } from './setting-flags.ts';

export const tablesAbout = 'list the tables of a connected system, or the columns of one';

/** `npm run connect -- tables <connection or platform> … [table]`: shows the tables that mappings can be written for. */
export async function tables(args: readonly string[]): Promise<void> {
  const [which, ...rest] = args;
  if (wantsHelp(args)) return void process.stdout.write(`${help}\n`);
  if (which === undefined || which.startsWith('-')) {
    throw new UsageError(
      '✗ Name a connection, or a platform with its settings.\n\nSee: npm run connect -- tables --help',
    );
  }
  return platformIds().includes(which) ? ofPlatform(platformOf(which), rest) : ofConnection(which, rest);
}

async function ofPlatform(platform: Platform, args: readonly string[]): Promise<void> {
  const given = readFlags(args, { ...settingFlags(platform), ...ownFlags });
  const settings = await completeSettings(platform, given, problemsOf(given), 'connect -- tables');
  await show(platform, settings, given);
}

async function ofConnection(which: string, args: readonly string[]): Promise<void> {
  const given = readFlags(args, { ...choiceFlags, ...ownFlags });
  refuseProblems(problemsOf(given), 'connect -- tables');
  const found = await withInstallation(async ({ store }) => {
    const connection = await chosenConnection(store, given, which);
    const settings = ((await connectionSettings(store, connection.id)) ?? {}) as Settings;
    return { platform: platformOf(connection.platform), settings };
  });
  await show(found.platform, found.settings, given);
}

/** Only one table may be named; further arguments are errors. */
function problemsOf({ problems, positionals }: Given): string[] {
  return [...problems, ...positionals.slice(1).map((text) => `"${text}" is not expected here.`)];
}

async function show(platform: Platform, settings: Settings, given: Given): Promise<void> {
  const [table] = given.positionals;
  const driver = openDriver(platform, settings);
  try {
    const catalog = driver.discover?.catalog;
    if (!catalog) throw new Refusal(`${platform.name} cannot list its tables.`, 'See the documentation of the system.');
    if (table === undefined) {
      const found = await everyItem((request) => catalog.tables(request));
      print(isOn(given, 'json'), { tables: found }, tableLines(found));
    } else {
      const columns = await columnsOf(catalog, table);
      print(isOn(given, 'json'), { table, columns }, columnLines(columns));
    }
  } finally {
    await driver.close();
  }
}

function tableLines(found: readonly SystemTable[]): string {
  if (found.length === 0) return 'The login cannot read any table. Grant it the right to read.';
  return aligned(
    ['table', 'kind', 'rows', 'key', ''],
    found.map(({ name, kind, estimatedRows, primaryKey, label, comment }) => [
      ...[name, kind, estimatedRows === null ? '' : `~${estimatedRows}`, primaryKey.join(', ')],
      about(label, comment),
    ]),
  );
}

function columnLines(found: readonly SystemColumn[]): string {
  return aligned(
    ['column', 'type', 'null', 'key', ''],
    found.map(({ name, type, nullable, keyPosition, label, comment }) => [
      ...[name, type, nullable ? 'yes' : 'no', keyPosition === null ? '' : String(keyPosition)],
      about(label, comment),
    ]),
  );
}

/** Label and comment in one line. */
function about(label: string | null, comment: string | null): string {
  return [label, comment?.replaceAll(/\s+/g, ' ')].filter(Boolean).join(': ');
}

function aligned(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const help = `Lists the tables, views and models that the login can read, or the columns of one, for writing mappings.

  npm run connect -- tables <connection> [options] [table]
  npm run connect -- tables <platform> [settings] [table]

<connection> is the id or the name of a stored connection. <platform> is one of \`npm run connect -- --help\`; its settings
are options, as for connecting it. Nothing is stored or changed. Rows are estimates from the system, without counting.

Options
${choiceHelp}
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`;
