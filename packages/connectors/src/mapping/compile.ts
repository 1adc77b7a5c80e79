import { hash } from 'node:crypto';
import type { Entity } from '@unified/contract';
import { transitionsOf } from './available-actions.ts';
import { checkAgainstEntity } from './check-against-entity.ts';
import { compileAction } from './compile-action.ts';
import { compileReading } from './compile-reading.ts';
import { compileWord } from './compile-word.ts';
import { compileWriting } from './compile-writing.ts';
import type { MappingDefinition, WordDefinition } from './definition.ts';
import type { CompiledMapping } from './mapping.ts';
import { at, type Place, together, top } from './place.ts';
import { checkShape } from './shape.ts';
import { type SourcePath, sourcePaths } from './source-paths.ts';
import type { Word } from './word.ts';

/** The words of a mapping, compiled, each with the name of the field or part that it fills. */
export interface CompiledWords {
  readonly fields: ReadonlyMap<string, Word>;
  readonly display: Word | null;
  readonly created: Word | null;
  readonly updated: Word | null;
  readonly deleted: Word | null;
}

export interface CompileOptions {
  /** How messages name the file. */
  readonly file: string;
  /** What the document says about the entity; with it, fields, kinds, values and actions are checked. */
  readonly entity?: Entity;
  /** Entities whose rows are named by one column: a `ref` by `_idValue` escapes the text of that column. */
  readonly singleKeys?: ReadonlySet<string>;
}

/**
 * Compiles a mapping definition, as parsed from YAML, to closures.
 *
 * @throws DefinitionError that names file, field and word
 */
export function compileMapping(source: unknown, { file, entity, singleKeys }: CompileOptions): CompiledMapping {
  const definition = checkShape(source, file);
  const words = compileWords(definition, { ...top(file), ...(singleKeys && { singleKeys }) });
  if (entity) checkAgainstEntity(definition, words, entity, file);
  const writable = [...words.fields].filter(([, word]) => word.write !== null).map(([name]) => name);
  const actions = Object.entries(definition.actions ?? {}).map(
    ([name, action]) => [name, compileAction(action, at(at(top(file), 'actions'), name))] as const,
  );
  return {
    entity: definition.entity,
    stream: definition.stream,
    fields: [...words.fields].filter(([, word]) => word.read !== null).map(([name]) => name),
    writable,
    writes: new Set(definition.writes ?? []),
    actions: Object.fromEntries(actions),
    paths: readPaths(definition, words),
    hash: hashOf([DERIVATION, definition, entity?.fields, transitionsOf(entity), namedIn(definition, singleKeys)]),
    read: compileReading(definition, words, entity, file),
    write: compileWriting(definition, words, file),
  };
}

/** Number of the way in which rows become records. Raise it when the same mapping makes other records of the same rows. */
const DERIVATION = 4;

/** Every path that reading a row looks at, by the field that it is for, or `where`. */
function readPaths({ where = [] }: MappingDefinition, words: CompiledWords): SourcePath[] {
  const { fields, display, created, updated, deleted } = words;
  const parts = { _displayValue: display, _createdAt: created, _updatedAt: updated, _deletedAt: deleted };
  const named = [...fields, ...Object.entries(parts)].flatMap(([name, word]) =>
    word?.read ? sourcePaths(name, word) : [],
  );
  return [...named, ...[where].flat().map(({ path }) => ({ field: 'where', path }))];
}

/** The entities that a definition names, so that only a change of their keys has its records derived again. */
function namedIn(definition: MappingDefinition, entities: ReadonlySet<string> = new Set()): string[] {
  const text = JSON.stringify(definition);
  return [...entities].filter((entity) => text.includes(JSON.stringify(entity))).sort();
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

function compileWords(definition: MappingDefinition, place: Place): CompiledWords {
  const part = (word: WordDefinition | undefined, name: string) =>
    word === undefined ? null : compileWord(word, at(place, name));
  const fields = together(
    Object.entries(definition.fields).map(
      ([name, word]) =>
        () =>
          [name, compileWord(word, at(at(place, 'fields'), name))] as const,
    ),
  );
  return {
    fields: new Map(fields),
    display: part(definition.display, 'display'),
    created: part(definition.created, 'created'),
    updated: part(definition.updated, 'updated'),
    deleted: part(definition.deleted, 'deleted'),
  };
}
