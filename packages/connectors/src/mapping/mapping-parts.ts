import type { Entity } from '@unified/contract';
import type { CompiledWords } from './compile.ts';
import { compileReading } from './compile-reading.ts';
import { noCustomFields } from './custom-fields.ts';
import type { MappingDefinition } from './definition.ts';
import type { CompiledMapping } from './mapping.ts';
import { namedParts } from './read-paths.ts';
import type { Words } from './word.ts';

/** The parts of a record: its fields, `_displayValue`, `_createdAt`, `_updatedAt` and `_deletedAt`. */
export interface MappingParts {
  /** What each part depends on besides the row, as text. Two mappings of an entity read parts with the same text alike. */
  definitions(): ReadonlyMap<string, string>;
  /** Reads only these parts. A row that does not belong to the entity is null. */
  reading(names: ReadonlySet<string>): CompiledMapping['read'];
}

interface Compiled {
  readonly definition: MappingDefinition;
  readonly words: CompiledWords;
  readonly singleKeys: ReadonlySet<string> | undefined;
}

/** The parts of a compiled mapping. Nothing is computed until it is needed. */
export function mappingParts(
  { definition, words, singleKeys }: Compiled,
  entity: Entity | undefined,
  file: string,
): MappingParts {
  return {
    definitions() {
      const { fields, display, created, updated, deleted } = definition;
      const others = { _displayValue: display, _createdAt: created, _updatedAt: updated, _deletedAt: deleted };
      const all = Object.entries({ ...fields, ...others }).filter(([, word]) => word !== undefined);
      return new Map(all.map(([name, word]) => [name, JSON.stringify([word, singleKeysIn(word, singleKeys)])]));
    },
    reading(names) {
      const some = wordsOf(namedParts(words).filter(([each]) => names.has(each)));
      return compileReading({ definition, words: some, customFields: noCustomFields }, entity, file);
    },
  };
}

function wordsOf(parts: Words): CompiledWords {
  const { _displayValue, _createdAt, _updatedAt, _deletedAt, ...fields } = Object.fromEntries(parts);
  return {
    fields: new Map(Object.entries(fields)),
    display: _displayValue ?? null,
    created: _createdAt ?? null,
    updated: _updatedAt ?? null,
    deleted: _deletedAt ?? null,
  };
}

/** Parts that are derived from one another if they have no value, or together decide another field. */
const TOGETHER = [
  ['name', 'code', '_displayValue'],
  ['statusCategory', '_deletedAt'],
];

/**
 * The parts of a record that two mappings of an entity define differently, and those that depend on them. Null if they read
 * different streams, or differ in what is not among the parts: actions, or custom fields, which may include every column that no
 * word reads.
 */
export function differingParts(before: CompiledMapping, after: CompiledMapping): ReadonlySet<string> | null {
  const whole = ({ definition: { stream, actions, customFields } }: CompiledMapping) =>
    JSON.stringify([stream, actions, customFields]);
  if (whole(before) !== whole(after) || after.customFields.includesAll) return null;
  const [was, is] = [before.parts.definitions(), after.parts.definitions()];
  const names = [...was.keys(), ...is.keys()];
  const differing = names.filter((name) => was.get(name) !== is.get(name));
  const related = TOGETHER.filter((group) => group.some((name) => differing.includes(name))).flat();
  return new Set([...differing, ...related.filter((name) => names.includes(name))]);
}

/** The entities with one key column that a definition refers to, so that records are derived again only when these change. */
export function singleKeysIn(definition: unknown, entities: ReadonlySet<string> = new Set()): string[] {
  const text = JSON.stringify(definition);
  return [...entities].filter((entity) => text.includes(JSON.stringify(entity))).sort();
}
