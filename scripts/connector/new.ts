import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from '../command-line/command.ts';
import { filled, textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { didYouMean, Refusal, refuseProblems } from '../command-line/usage.ts';
import { platformFolder } from './platform-folder.ts';

const TEMPLATES = fileURLToPath(new URL('../../packages/connector-kit/templates', import.meta.url));

/** Protocols that have a template, and whether their systems list their tables, so that streams are drafted. */
const protocols: Readonly<Record<string, { readonly listsTables: boolean }>> = {
  sql: { listsTables: true },
  odata: { listsTables: true },
  tryton: { listsTables: true },
  files: { listsTables: true },
  rest: { listsTables: false },
};

export const newPlatform: Command = {
  about: 'create a platform: a folder with its settings form',
  flags: { protocol: { type: 'string' }, name: { type: 'string' } },
  help: `Creates a platform: a folder with a platform.yaml to edit.

  npm run connector -- new <platform> --protocol sql [--name "My ERP"]

<platform> is its id, such as my-erp: a folder with this name is created in packages/connectors/platforms. A path, such as
./my-erp, creates that folder.

Options
${helpLine('protocol', 'How the system is reached: sql, odata, tryton, files or rest')}
${helpLine('name', 'Name that users see')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const problems = [...given.problems];
    const [which = '', ...others] = given.positionals;
    problems.push(...others.map((text) => `"${text}" is not expected here.`));
    const folder = platformFolder(which);
    const id = basename(folder);
    if (which === '') problems.push('Name the platform, such as my-erp.');
    else if (!/^[a-z][a-z0-9-]*$/.test(id)) {
      problems.push(`"${id}" cannot be an id. Use lowercase letters, digits and hyphens, and begin with a letter.`);
    }
    const protocol = textOf(given, 'protocol') ?? '';
    const names = Object.keys(protocols);
    if (!names.includes(protocol)) {
      const meant = protocol === '' ? '' : didYouMean(protocol, names);
      problems.push(`--protocol must be one of ${names.join(', ')}.${meant}`);
    }
    const name = filled(given, 'name', problems);
    refuseProblems(problems, 'connector -- new');
    const files = await created(folder, protocol, { id, name });
    process.stdout.write(
      `${files.map((file) => `✓ ${relative('', file)}\n`).join('')}\n${nextStep(which, protocol)}\n`,
    );
  },
};

/** Creates the files of a platform from the template of its protocol. Returns their paths. */
async function created(
  folder: string,
  protocol: string,
  { id, name }: { readonly id: string; readonly name: string | undefined },
): Promise<string[]> {
  if (existsSync(join(folder, 'platform.yaml'))) {
    throw new Refusal(`There is already a platform in ${relative('', folder)}.`, 'Use another name, or remove it.');
  }
  const template = join(TEMPLATES, protocol);
  const paths = protocols[protocol]?.listsTables ? ['platform.yaml'] : globSync('**/*.yaml', { cwd: template }).sort();
  for (const path of paths) {
    const text = await readFile(join(template, path), 'utf8');
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path === 'platform.yaml' ? named(text, protocol, id, name) : text, {
      flag: 'wx',
    });
  }
  return paths.map((path) => join(folder, path));
}

/** The template with the id and the name. Streams that will be drafted are left out. */
function named(text: string, protocol: string, id: string, name: string | undefined): string {
  const streams = protocols[protocol]?.listsTables ? text.search(/\n\n?streams:/) : -1;
  const head = streams < 0 ? text : `${text.slice(0, streams)}\n`;
  const withId = head.replace(/^id: \S+/, () => `id: ${id}`);
  return name === undefined ? withId : withId.replace(/^name: .*$/m, () => `name: ${JSON.stringify(name)}`);
}

function nextStep(which: string, protocol: string): string {
  const edit = 'Edit its description, and write the settings of a connection to a file as JSON. Then ';
  if (!protocols[protocol]?.listsTables) {
    return `${edit}replace its stream and mapping with drafts from the addresses of lists:\n  npm run connector -- draft ${which} ADDRESS=ENTITY --settings FILE`;
  }
  return `${edit}draft streams and mappings:\n  npm run connector -- draft ${which} --settings FILE`;
}
