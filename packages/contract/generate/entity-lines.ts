import { dump } from 'js-yaml';
import type { EntityFile } from './entity-files.ts';

/** Column of the references in `paths` of openapi.yaml. */
const REFERENCES = 44;
const TAG = /^ {2}- \{ name: ([^,]+), .*description: /;
const GROUP = /^ {2}- \{ name: [^,]+, tags: \[(.*)\] \}$/;

/**
 * Adds the missing entries for these files to the text of openapi.yaml: a line for each path item that no path refers to, the
 * tag, and the tag in the group to which most entities of the folder belong. Other lines stay unchanged.
 *
 * @returns the text, and the lines that were added or extended
 */
export function withEntities(text: string, files: readonly EntityFile[]): { text: string; added: readonly string[] } {
  const lines = text.split('\n');
  const added = files.flatMap((entity) => [
    ...addPaths(lines, entity),
    ...addToGroup(lines, entity, files),
    ...addTag(lines, entity),
  ]);
  return { text: lines.join('\n'), added };
}

function addPaths(lines: string[], { file, domain, blocks }: EntityFile): string[] {
  const named = (prefix: string) => lines.findLastIndex((line) => line.includes(`{ $ref: ${prefix}`));
  const added = blocks
    .filter(({ name }) => !lines.some((line) => line.endsWith(` { $ref: ${file}#/${name} }`)))
    .map(({ name, path }) => `${`  ${path}:`.padEnd(REFERENCES - 1)} { $ref: ${file}#/${name} }`);
  if (added.length === 0) return [];
  const after = [`${file}#`, `entities/${domain}/`].map(named).find((index) => index !== -1);
  if (after !== undefined) lines.splice(after + 1, 0, ...added);
  else lines.splice(named('entities/') + 1, 0, '', `  # ${titleOf(domain)}`, ...added);
  return added;
}

/** The group of a new folder comes after the groups of the other entities. */
function addToGroup(lines: string[], { tag, domain }: EntityFile, files: readonly EntityFile[]): string[] {
  const groups = lines.flatMap((line, index) => {
    const tags = GROUP.exec(line)?.[1]?.split(', ');
    return tags ? [{ index, tags }] : [];
  });
  if (groups.some(({ tags }) => tags.includes(tag))) return [];
  const count = (tags: readonly string[], of: readonly EntityFile[]) =>
    of.filter((each) => tags.includes(each.tag)).length;
  const near = files.filter((each) => each.domain === domain);
  const [best] = groups.toSorted((a, b) => count(b.tags, near) - count(a.tags, near));
  if (best && count(best.tags, near) > 0) {
    lines[best.index] = `${lines[best.index]?.slice(0, -'] }'.length)}, ${tag}] }`;
    return [lines[best.index] ?? ''];
  }
  const last = groups.findLast(({ tags }) => count(tags, files) > 0) ?? groups.at(-1);
  const line = `  - { name: ${titleOf(domain)}, tags: [${tag}] }`;
  lines.splice((last?.index ?? lines.indexOf('x-tagGroups:')) + 1, 0, line);
  return [line];
}

/** Adds the tag; tags are in the order of the groups. */
function addTag(lines: string[], { tag, description }: EntityFile): string[] {
  const nameOf = (line: string) => TAG.exec(line)?.[1] ?? '';
  if (lines.some((line) => nameOf(line) === tag)) return [];
  const order = lines.flatMap((line) => GROUP.exec(line)?.[1]?.split(', ') ?? []);
  const before = order.slice(0, order.indexOf(tag));
  const after = lines.findLastIndex((line) => before.includes(nameOf(line)));
  const flow = dump({ name: tag, description }, { flowLevel: 0, lineWidth: -1 }).trim();
  const line = `  - { ${flow.slice(1, -1)} }`;
  lines.splice((after === -1 ? lines.indexOf('tags:') : after) + 1, 0, line);
  return [line];
}

/** The title for a folder: "Real estate" for `real-estate`. */
function titleOf(domain: string): string {
  return `${domain[0]?.toUpperCase()}${domain.slice(1).replaceAll('-', ' ')}`;
}
