import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { mappingText, streamText } from '@unified/connector-kit';
import {
  type DraftedTable,
  draftMapping,
  loadPlatform,
  type MappingDraft,
  openDriver,
  type Platform,
  problemLine,
  type SystemCatalog,
  sampledTable,
} from '@unified/connectors';
import { type Entity, entities, entityOf } from '@unified/contract';
import type { Command } from '../command-line/command.ts';
import { textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { didYouMean, Refusal, refuseProblems } from '../command-line/usage.ts';
import { columnsOf, everyItem } from '../connect/catalog-pages.ts';
import { chosenPlatform } from './chosen-platform.ts';
import { platformFolder } from './platform-folder.ts';
import { settingsFile } from './settings-file.ts';

export const draft: Command = {
  about: 'write streams and mappings from the tables of a running system',
  flags: { settings: { type: 'string' } },
  help: `Drafts streams and mappings of a platform from the tables of a running system: fields that match columns by name and type
are filled in, and comments list what is left to decide. Without a table, lists the tables of the system. Only reads.

  npm run connector -- draft <platform> --settings FILE
  npm run connector -- draft <platform> supplier=Vendor article=Item --settings FILE

A REST API does not list its tables. Name a stream of the platform, or the address of a list with its parameters:

  npm run connector -- draft <platform> '/suppliers?limit=50=Vendor' --settings FILE

<platform> is the id of a platform, or the path of its folder: npm run connector -- new creates one. The files are written to
its folders streams and mappings; existing files are not replaced.

Options
${helpLine('settings', 'File with the settings; - is standard input')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const problems = [...given.problems];
    const [which = '', ...pairs] = given.positionals;
    if (which === '') problems.push('Name a platform, or the path of its folder.');
    const wanted = pairs.flatMap((pair) => tableAndEntity(pair, problems));
    const file = textOf(given, 'settings');
    if (file === undefined) problems.push('--settings is missing. Send the name of a file with the settings as JSON.');
    refuseProblems(problems, 'connector -- draft');
    const platform = chosenPlatform(which);
    const settings = await settingsFile(platform, file ?? '');
    const driver = openDriver(platform, settings);
    try {
      const catalog = driver.discover?.catalog;
      const tableOf = async (name: string) =>
        catalog ? { name, columns: await columnsOf(catalog, name) } : sampledTable(platform, driver, name);
      if (wanted.length === 0)
        process.stdout.write(catalog ? await tableList(catalog, which) : streamList(platform, which));
      else await writeDrafts(platformFolder(which), which, await drafts({ platform, settings }, tableOf, wanted));
    } finally {
      await driver.close();
    }
  },
};

interface Wanted {
  readonly table: string;
  readonly entity: Entity;
}

/** `supplier=Vendor`; the name of a table may contain `=`. */
function tableAndEntity(pair: string, problems: string[]): Wanted[] {
  const at = pair.lastIndexOf('=');
  const [table, name] = [pair.slice(0, at), pair.slice(at + 1)];
  const entity = entityOf(name);
  if (at > 0 && entity && !entity.view) return [{ table, entity }];
  const names = Object.keys(entities);
  problems.push(
    at > 0
      ? `There is no entity "${name}" that a table can be mapped to.${didYouMean(name, names)}`
      : `"${pair}" must be a table and an entity, such as supplier=Vendor.`,
  );
  return [];
}

async function tableList(catalog: SystemCatalog, which: string): Promise<string> {
  const tables = await everyItem((request) => catalog.tables(request));
  if (tables.length === 0) return 'The login cannot read any table. Grant it the right to read.\n';
  const names = tables.map(({ name, label }) => `  ${name}${label === null ? '' : `  ${label}`}\n`).join('');
  return `${names}\nState what each table contains, such as:\n  npm run connector -- draft ${which} ${argument(`${tables[0]?.name}=Vendor`)} --settings FILE\n`;
}

/** For a system that does not list its tables. */
function streamList({ name, streams }: Platform, which: string): string {
  const next = `npm run connector -- draft ${which} /suppliers=Vendor --settings FILE`;
  if (streams.length === 0)
    return `${name} cannot list its tables, and the platform has no streams.\nName the address of a list with its parameters, such as:\n  ${next}\n`;
  const names = streams.map((stream) => `  ${stream.name}\n`).join('');
  const problem = `${name} cannot list its tables. The platform has these streams:\n${names}`;
  return `${problem}\nState what each contains, or name the address of a list with its parameters, such as:\n  ${next}\n`;
}

/** A text as one argument of a shell. */
function argument(text: string): string {
  return /^[\p{L}\p{N}._/=-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function drafts(
  system: Parameters<typeof draftMapping>[0],
  tableOf: (name: string) => Promise<DraftedTable>,
  wanted: readonly Wanted[],
): Promise<Drafts> {
  const drafted: MappingDraft[] = [];
  const unmatched: MappingDraft[] = [];
  const sampled = new Set<string>();
  for (const { table: name, entity } of wanted) {
    const table = await tableOf(name);
    if (table.stream) sampled.add(table.name);
    const draft = await draftMapping({ ...system, planned: wanted }, entity, table);
    (draft.fields.size === 0 ? unmatched : drafted).push(draft);
  }
  const [first] = unmatched;
  if (first && drafted.length === 0) throw new Refusal(unmatchedProblem(first), byHand(first));
  const existing = new Set(system.platform.streams.map((stream) => stream.name).filter((name) => sampled.has(name)));
  return { drafted, unmatched, sampled, existing };
}

interface Drafts {
  readonly drafted: readonly MappingDraft[];
  /** Streams that are known only by a sample of their rows. */
  readonly sampled: ReadonlySet<string>;
  /** Those that the platform has already, which are not written. */
  readonly existing: ReadonlySet<string>;
  /** Those without any field, which are not written. */
  readonly unmatched: readonly MappingDraft[];
}

function unmatchedProblem({ table, entity }: MappingDraft): string {
  return `No column of ${table} has the name of a field of ${entity.name}.`;
}

function byHand({ fieldsWithoutColumn }: MappingDraft): string {
  return `Write its stream and mapping by hand. The fields are: ${fieldsWithoutColumn.join(', ')}.`;
}

/** Writes all drafts that have fields, or none if a file exists. */
async function writeDrafts(
  folder: string,
  which: string,
  { drafted, unmatched, sampled, existing }: Drafts,
): Promise<void> {
  const streamFile = (draft: MappingDraft) => ({
    path: join(folder, 'streams', `${fileName(draft.table)}.yaml`),
    text: streamText(draft, { isList: sampled.has(draft.table) }),
  });
  const files = drafted.flatMap((draft) => [
    ...(existing.has(draft.table) ? [] : [streamFile(draft)]),
    { path: join(folder, 'mappings', `${fileName(draft.entity.name)}.yaml`), text: mappingText(draft) },
  ]);
  const paths = files.map(({ path }) => path);
  const taken = paths.filter((path, index) => existsSync(path) || paths.indexOf(path) !== index);
  if (taken.length > 0) {
    const names = taken.map((path) => relative('', path)).join(', ');
    throw new Refusal(
      `These files exist, or would be written twice: ${names}.`,
      'Remove them, or leave the tables out.',
    );
  }
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  }
  const { broken } = loadPlatform(folder);
  const problems = broken.flatMap((mapping) => mapping.problems.map((problem) => `✗ ${problemLine(problem)}\n`));
  const next = `Check every line of the drafts, then run:\n  npm run connector -- check ${which} --settings FILE\n`;
  const left = unmatched.map((draft) => `✗ ${unmatchedProblem(draft)} ${byHand(draft)}\n`);
  process.stdout.write(`${[...drafted.map(summary), ...left, ...problems].join('')}\n${next}`);
}

function summary({ entity, table, fields, unusedColumns, fieldsWithoutColumn }: MappingDraft): string {
  const all = fields.size + fieldsWithoutColumn.length;
  return `✓ ${table} as ${entity.name}: ${fields.size} of ${all} fields drafted, columns without a field: ${unusedColumns.length}\n`;
}

/** `Production.UnitMeasure` is production-unit-measure. */
function fileName(name: string): string {
  const words = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1-$2').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
}
