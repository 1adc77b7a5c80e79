import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { load } from 'js-yaml';

/** The parts of an entity's file that openapi.yaml refers to. */
export interface EntityFile {
  /** Relative to openapi.yaml: `entities/maintenance/alarms.yaml`. */
  readonly file: string;
  /** Folder of the file, such as `maintenance`. */
  readonly domain: string;
  readonly tag: string;
  /** Description of the tag: the text after its name in the first line of the file. */
  readonly description: string;
  /** Path items of the file. */
  readonly blocks: readonly Block[];
  /** Name of the entity, such as `Alarm`: the first schema of the file. Absent for a view, which has no records of its own. */
  readonly entity?: string;
}

export interface Block {
  /** `collection`, `item`, `batch`, or the verb of an action. */
  readonly name: string;
  /** Its address according to the conventions, such as `/alarms/{id}/actions/close`. */
  readonly path: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Reads the files of all entities below the folder of openapi.yaml, sorted by name. */
export async function entityFiles(folder: string): Promise<EntityFile[]> {
  const files = globSync('entities/*/*.yaml', { cwd: folder }).sort();
  return Promise.all(files.map(async (file) => entityFile(file, await readFile(join(folder, file), 'utf8'))));
}

/** @throws Error when the file does not have exactly one tag, or does not begin with a line that describes it */
export function entityFile(file: string, text: string): EntityFile {
  const content = load(text, { filename: file }) as Record<string, Record<string, { tags?: string[] }>>;
  const items = Object.entries(content).filter(([, item]) => METHODS.some((method) => method in item));
  const tags = new Set(items.flatMap(([, item]) => METHODS.flatMap((method) => item[method]?.tags ?? [])));
  const [tag = ''] = tags;
  if (tags.size !== 1)
    throw new Error(`${file}: all operations of an entity must have the same tag; found ${tags.size}`);
  const description = text.startsWith(`# ${tag}: `) ? text.slice(`# ${tag}: `.length, text.indexOf('\n')) : '';
  if (!description) throw new Error(`${file}: begin the file with "# ${tag}: " and a description`);
  const collection = basename(file, '.yaml');
  return {
    file: file.replaceAll('\\', '/'),
    domain: basename(dirname(file)),
    tag,
    description: `${description[0]?.toUpperCase()}${description.slice(1)}`,
    blocks: items.map(([name]) => ({ name, path: pathOf(collection, name) })),
    ...storedEntity(content.schemas),
  };
}

function storedEntity(schemas: Readonly<Record<string, object>> = {}): Pick<EntityFile, 'entity'> {
  const [first] = Object.entries(schemas);
  return first && !('x-view' in first[1]) ? { entity: first[0] } : {};
}

function pathOf(collection: string, block: string): string {
  if (block === 'collection') return `/${collection}`;
  if (block === 'item') return `/${collection}/{id}`;
  if (block === 'batch') return `/${collection}/batch`;
  return `/${collection}/{id}/actions/${block.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
