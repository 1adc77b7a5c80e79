import type { EntityFile } from './entity-files.ts';

/** The values of `EntityName` in shared/schemas.yaml, one per line. */
const VALUES = /(^EntityName:\n(?: {2}.*\n)*? {2}enum:\n)((?: {4}- \w+\n)*)/m;

/**
 * Sets the values of `EntityName` in the text of shared/schemas.yaml to the entities of these files, in alphabetical
 * order. Views are left out: they have no records.
 *
 * @returns the text, and the lines that were added or removed, with a sign
 * @throws Error when the text has no `EntityName` with its values one per line
 */
export function withEntityNames(
  text: string,
  files: readonly EntityFile[],
): { text: string; changed: readonly string[] } {
  const [all, head = '', values = ''] = VALUES.exec(text) ?? [];
  if (all === undefined) throw new Error('shared/schemas.yaml: EntityName has no `enum` with one value per line.');
  const before = values.split('\n').flatMap((line) => line.slice('    - '.length) || []);
  const names = files.flatMap(({ entity }) => entity ?? []).sort();
  const changed = [
    ...names.filter((name) => !before.includes(name)).map((name) => `+ EntityName: ${name}`),
    ...before.filter((name) => !names.includes(name)).map((name) => `- EntityName: ${name}`),
  ];
  if (changed.length === 0) return { text, changed };
  const lines = names.map((name) => `    - ${name}\n`).join('');
  return { text: text.replace(VALUES, () => head + lines), changed };
}
