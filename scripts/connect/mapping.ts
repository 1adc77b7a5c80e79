import { entities, entityOf, ServiceError } from '@unified/contract';
import type { FieldMappings, ShownMapping } from '@unified/engine';
import type { Command } from '../command-line/command.ts';
import { type Given, isOn, textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { didYouMean, Refusal, refuseProblems } from '../command-line/usage.ts';
import { choiceFlags, choiceHelp, chosenConnection } from './chosen-connection.ts';
import { editText } from './edit-text.ts';
import { contentOf, type FileMapping, mappingIn, mappingText } from './mapping-file.ts';
import { derivationLine, draftText, previewText, revisionLines, trialText } from './mapping-report.ts';

/** The input of a subcommand. */
interface Chosen {
  readonly mappings: FieldMappings;
  readonly id: string;
  readonly entity: string;
  /** The argument after the entity. */
  readonly extra: string | undefined;
  readonly given: Given;
}

interface Subcommand {
  /** Name of the argument after the entity. */
  readonly extra?: string;
  run(chosen: Chosen): Promise<void>;
}

const subcommands: Readonly<Record<string, Subcommand>> = {
  show: {
    async run({ mappings, id, entity, given }) {
      const active = await mappings.active(id, entity);
      print(isOn(given, 'json'), active, mappingText(active).trimEnd());
    },
  },
  edit: { run: edit },
  test: {
    async run(chosen) {
      const rows = await chosen.mappings.testFetch(chosen.id, chosen.entity, await triedOf(chosen));
      print(isOn(chosen.given, 'json'), rows, trialText(rows));
    },
  },
  preview: {
    async run(chosen) {
      const preview = await chosen.mappings.preview(chosen.id, chosen.entity, await triedOf(chosen));
      print(isOn(chosen.given, 'json'), preview, previewText(preview));
    },
  },
  draft: {
    extra: 'table',
    async run({ mappings, id, entity, extra = '', given }) {
      const draft = await mappings.draft(id, entity, extra);
      print(isOn(given, 'json'), draft, draftText(entity, draft).trimEnd());
    },
  },
  activate: {
    extra: 'revision',
    async run({ mappings, id, entity, extra, given }) {
      if (!/^\d{1,9}$/.test(extra ?? ''))
        throw new Refusal(`"${extra}" is not the number of a revision.`, 'See: mapping revisions');
      const active = await mappings.activate(id, entity, Number(extra));
      print(isOn(given, 'json'), active, activeText(active));
    },
  },
  revisions: {
    async run({ mappings, id, entity, given }) {
      const revisions = await mappings.revisions(id, entity, { limit: 100 });
      print(isOn(given, 'json'), revisions, revisionLines(revisions));
    },
  },
};

export const mapping: Command = {
  about: 'show, edit, test, preview and activate how a connection maps its data',
  flags: {
    ...choiceFlags,
    file: { type: 'string' },
    rows: { type: 'string' },
    note: { type: 'string' },
    activate: { type: 'boolean' },
    'add-stream': { type: 'boolean' },
  },
  help: `Shows and changes how the rows of a connection become records of one entity, such as Vendor.

  npm run connect -- mapping show <connection> <entity>                   the active mapping
  npm run connect -- mapping edit <connection> <entity> [options]         change it in your editor, or with --file
  npm run connect -- mapping test <connection> <entity> [options]         map some rows of the system; stores nothing
  npm run connect -- mapping preview <connection> <entity> [options]      what would change in the records
  npm run connect -- mapping draft <connection> <entity> <table>          a draft for a table that is not mapped
  npm run connect -- mapping activate <connection> <entity> <revision>    use a revision; 0 is the mapping of the platform
  npm run connect -- mapping revisions <connection> <entity>              all revisions, newest first

<connection> is its id or its name. A mapping that is saved is a new revision; it is used only when it is activated. A running
worker then derives the records again from the rows that were copied.

Options
${helpLine('file', 'File with a mapping as printed by show; - is standard input; the active mapping by default')}
${helpLine('rows', 'Rows to test, or changes to show: 1 to 100; default 20')}
${helpLine('note', 'Why the revision is saved')}
${helpLine('activate', 'Use the revision immediately')}
${helpLine('add-stream', 'Copy the table that the mapping reads, if no stream copies it')}
${choiceHelp}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const problems = [...given.problems];
    const [name = '', which = '', entity = '', extra, ...rest] = given.positionals;
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (!subcommand)
      problems.push(`There is no command "mapping ${name}".${didYouMean(name, Object.keys(subcommands))}`);
    if (which === '') problems.push('Send the id or name of the connection.');
    if (!entityOf(entity) || entityOf(entity)?.view)
      problems.push(`There is no entity "${entity}" with a mapping.${didYouMean(entity, Object.keys(entities))}`);
    if (subcommand?.extra && extra === undefined) problems.push(`Send the ${subcommand.extra} after the entity.`);
    const unexpected = subcommand?.extra ? rest : [extra, ...rest].filter((text) => text !== undefined);
    problems.push(...unexpected.map((text) => `"${text}" is not expected here.`));
    refuseProblems(problems, 'connect -- mapping');
    await withInstallation(async ({ store, engine }) => {
      const { id, applicationId } = await chosenConnection(store, given, which);
      const mappings = engine.mappingsOf(store.application(applicationId), operatorOrigin(`connect mapping ${name}`));
      await subcommand?.run({ mappings, id, entity, extra, given }).catch(refused);
    });
  },
};

/** Saves the mapping in the file, or the edited one. An edited mapping that cannot be used can be corrected. */
async function edit({ mappings, id, entity, given }: Chosen): Promise<void> {
  const file = textOf(given, 'file');
  const active = await mappings.active(id, entity);
  const [newest = active] = await mappings.revisions(id, entity, { limit: 1 });
  const before = mappingText(active);
  const options = { basedOn: newest.revision, note: textOf(given, 'note'), activate: isOn(given, 'activate') };
  for (let content = file === undefined ? before : await contentOf(file); ; ) {
    if (file === undefined) content = await editText(`${entity}.yaml`, content);
    if (content === before) return void process.stdout.write('Nothing was changed.\n');
    try {
      const mapping = mappingIn(content, file ?? entity);
      if (isOn(given, 'add-stream')) await addStream(mappings, id, entity, mapping);
      const saved = await mappings.save(id, entity, { ...mapping, ...options }, null);
      return print(isOn(given, 'json'), saved, savedText(saved));
    } catch (error) {
      const lines = problemLines(error);
      if (file !== undefined || lines.length === 0 || !process.stdin.isTTY) throw error;
      content = `${lines.map((line) => `# ✗ ${line}\n`).join('')}${content.replaceAll(/^# ✗ .*\n/gm, '')}`;
    }
  }
}

/**
 * Adds the table of a mapping that can be used to the streams of the connection, with its primary key, unless a stream reads it.
 */
async function addStream(mappings: FieldMappings, id: string, entity: string, mapping: FileMapping): Promise<void> {
  if (mapping.stream === undefined) return;
  const { customStream } = await mappings.draft(id, entity, mapping.stream);
  if (!customStream) return;
  await mappings.check(id, entity, mapping, customStream);
  await mappings.replaceCustomStreams(id, [...(await mappings.customStreams(id)), customStream]);
}

function savedText(saved: ShownMapping): string {
  if (saved.isActive) return `Saved revision ${saved.revision} of ${saved.entity}. ${activeText(saved)}`;
  return `Saved revision ${saved.revision} of ${saved.entity}. Activate it: npm run connect -- mapping activate <connection> ${saved.entity} ${saved.revision}`;
}

function activeText({ entity, revision, derivation }: ShownMapping): string {
  return `Revision ${revision} of ${entity} is active. ${derivationLine(derivation)}`;
}

/** The mapping in the file, or the active one, and the number of rows. */
async function triedOf({ mappings, id, entity, given }: Chosen) {
  const file = textOf(given, 'file');
  const rows = Number(textOf(given, 'rows') ?? 20);
  if (!Number.isInteger(rows) || rows < 1 || rows > 100)
    throw new Refusal('--rows is not from 1 to 100.', 'Send a number.');
  if (file !== undefined) return { ...mappingIn(await contentOf(file), file), limit: rows };
  const { stream, fields, parts } = await mappings.active(id, entity);
  return { ...(stream !== null && { stream }), fields, parts, limit: rows };
}

function problemLines(error: unknown): string[] {
  if (!(error instanceof ServiceError) || !Array.isArray(error.details)) return [];
  return error.details.map(({ path, message }) => `${String(path).replace(/^body\//, '')}: ${message}`);
}

function refused(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const lines = problemLines(error);
  if (lines.length === 0) throw new Refusal(error.message, 'Nothing was changed.', { cause: error });
  throw new Refusal('The mapping cannot be used.', lines.join('\n  '), { cause: error });
}
