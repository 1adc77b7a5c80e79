import { hash } from 'node:crypto';
import type { Entity } from '@unified/contract';
import { transitionsOf } from './available-actions.ts';
import { checkAgainstEntity, checkCustomFields } from './check-against-entity.ts';
import { compileAction } from './compile-action.ts';
import { compileReading } from './compile-reading.ts';
import { compileWord } from './compile-word.ts';
import { compileWriting, rootOf } from './compile-writing.ts';
import { type CustomFields, compileCustomFields, hasCustomFields } from './custom-fields.ts';
import type { MappingDefinition, WordDefinition } from './definition.ts';
import { attempt, DefinitionError, type DefinitionProblem } from './definition-error.ts';
import type { CompiledMapping } from './mapping.ts';
import { mappingParts, singleKeysIn } from './mapping-parts.ts';
import { readPaths } from './read-paths.ts';
import { at, type SchemaPath, top } from './schema-path.ts';
import { checkShape } from './shape.ts';
import type { SourcePath } from './source-paths.ts';
import type { Word } from './word.ts';
import { writtenPaths } from './written-paths.ts';

/** The words of a mapping, compiled, each with the name of the field or part that it fills. */
export interface CompiledWords {
  readonly fields: ReadonlyMap<string, Word>;
  readonly display: Word | null;
  readonly created: Word | null;
  readonly updated: Word | null;
  readonly deleted: Word | null;
}

export interface CompileOptions {
  /** Name of the file in messages. */
  readonly file: string;
  /** The entity as the document describes it; if given, fields, kinds, values and actions are checked. */
  readonly entity?: Entity;
  /** Entities whose rows are identified by one column: a `ref` by `_idValue` escapes the text of that column. */
  readonly singleKeys?: ReadonlySet<string>;
}

/**
 * Compiles a mapping definition, as parsed from YAML, to closures.
 *
 * @throws DefinitionError that names file, field and word
 */
export function compileMapping(source: unknown, { file, entity, singleKeys }: CompileOptions): CompiledMapping {
  const problems: DefinitionProblem[] = [];
  const definition = checkShape(source, file, problems);
  const words = compileWords(definition, { ...top(file), ...(singleKeys && { singleKeys }) }, problems);
  if (entity) attempt(problems, () => checkAgainstEntity(definition, words, entity, file));
  const paths = readPaths(definition, words);
  const written = writtenPaths(definition, words, entity);
  // A create may send a custom field instead of the value of `onCreate`. An entity without writes may still be sent as lines.
  const ofFields = writtenPaths({ ...definition, writes: ['update'] }, words, entity);
  const customFields = compileCustomFields(definition.customFields, {
    read: new Set(paths.map(({ path }) => rootOf(path))),
    written: new Set(ofFields.map(({ path }) => rootOf(path))),
  });
  if (definition.customFields) attempt(problems, () => checkCustomFields(customFields, ofFields, file));
  const read = attempt(problems, () => compileReading({ definition, words, customFields }, entity, file));
  const write = attempt(problems, () => compileWriting(definition, words, customFields, file));
  const actions = Object.entries(definition.actions ?? {}).flatMap(([name, action]) => {
    const compiled = attempt(problems, () => compileAction(action, at(at(top(file), 'actions'), name)));
    return compiled ? [[name, compiled] as const] : [];
  });
  if (problems.length > 0 || !read || !write) throw new DefinitionError(problems);
  const writable = [...words.fields].filter(([, word]) => word.write !== null).map(([name]) => name);
  return {
    entity: definition.entity,
    stream: definition.stream,
    definition,
    fields: [
      ...[...words.fields].filter(([, word]) => word.read !== null).map(([name]) => name),
      ...(hasCustomFields(customFields) ? ['customFields'] : []),
    ],
    writable: customFields.writable.length > 0 ? [...writable, 'customFields'] : writable,
    allowedValues: Object.fromEntries(
      [...words.fields].flatMap(([name, { accepts }]) => (accepts ? [[name, accepts] as const] : [])),
    ),
    customFields,
    references: [...words.fields].flatMap(([name, word]) => referencesIn(name, word)),
    writes: new Set(definition.writes ?? []),
    touches: definition.touches ?? [],
    actions: Object.fromEntries(actions),
    paths: [...paths, ...customFields.named.map(({ name, path = name }) => ({ field: `customFields.${name}`, path }))],
    written: [...written, ...writtenCustomFields(definition, customFields)],
    parts: mappingParts({ definition, words, singleKeys }, entity, file),
    hash: hashOf([DERIVATION, definition, entity?.fields, transitionsOf(entity), singleKeysIn(definition, singleKeys)]),
    read,
    write,
  };
}

/**
 * Version of the derivation of records from rows. Increase it when the same mapping derives different records from the same
 * rows.
 */
const DERIVATION = 8;

/** The entities that a field refers to, including those of the properties of its objects. */
function referencesIn(field: string, { yields, outcomes = [], parts = [] }: Word): CompiledMapping['references'] {
  const isReference = yields === 'reference' || yields === 'references';
  const own = isReference ? outcomes.map((entity) => ({ field, entity: String(entity) })) : [];
  return [...own, ...parts.flatMap(([name, word]) => referencesIn(`${field}.${name}`, word))];
}

/** Every custom field that the mapping names as writable. */
function writtenCustomFields(
  { writes = [] }: MappingDefinition,
  { named, writable, canWrite }: CustomFields,
): SourcePath[] {
  if (writes.every((operation) => operation === 'delete')) return [];
  const names = writable === 'all' ? named.map(({ name }) => name).filter(canWrite) : writable;
  return names.map((name) => ({ field: `customFields.${name}`, path: name }));
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** The words that can be compiled; errors of the others are added to `problems`. */
function compileWords(definition: MappingDefinition, place: SchemaPath, problems: DefinitionProblem[]): CompiledWords {
  const compiled = (word: WordDefinition, spot: SchemaPath) => attempt(problems, () => compileWord(word, spot));
  const part = (name: 'display' | 'created' | 'updated' | 'deleted') => {
    const word = definition[name];
    return word === undefined ? null : (compiled(word, at(place, name)) ?? null);
  };
  const fields = Object.entries(definition.fields).flatMap(([name, definition]) => {
    const word = compiled(definition, at(at(place, 'fields'), name));
    return word ? [[name, word] as const] : [];
  });
  return {
    fields: new Map(fields),
    display: part('display'),
    created: part('created'),
    updated: part('updated'),
    deleted: part('deleted'),
  };
}
