import type { Entity, Field, Reference } from '@unified/contract';
import type { Row } from '../driver.ts';
import { compileAccept } from './accept.ts';
import { compileAvailableActions } from './available-actions.ts';
import type { CompiledWords } from './compile.ts';
import { compileConditions } from './compile-condition.ts';
import { type CustomFields, type CustomTypes, hasCustomFields } from './custom-fields.ts';
import type { MappingDefinition } from './definition.ts';
import type { CompiledMapping } from './mapping.ts';
import { named, type Problems } from './problem.ts';
import { scalarText } from './scalar-text.ts';
import { at, top } from './schema-path.ts';
import { isSecretPath, sourcePaths } from './source-paths.ts';
import type { Word } from './word.ts';

const NO_TYPES: CustomTypes = new Map();

type References = Record<string, Reference | readonly Reference[] | null>;

interface ReadingParts {
  readonly definition: MappingDefinition;
  readonly words: CompiledWords;
  readonly customFields: CustomFields;
}

/** How rows of the stream become records: one list of closures, run in the same order for every row. */
export function compileReading(
  { definition: { stream, where, actions }, words, customFields }: ReadingParts,
  entity: Entity | undefined,
  file: string,
): CompiledMapping['read'] {
  const matches = compileConditions(where, at(top(file), 'where'));
  const part = (name: string, word: Word | null | undefined) => compileField(name, word, entity?.field[name]);
  const fields = [...words.fields].filter(([name, { read }]) => read !== null && name !== 'code');
  const isReference = ({ yields }: Word) => yields === 'reference' || yields === 'references';
  const plain = fields.filter(([, word]) => !isReference(word)).map(([name, word]) => part(name, word));
  const related = fields.filter(([, word]) => isReference(word)).map(([name, word]) => part(name, word));
  const code = part('code', words.fields.get('code'));
  const display = part('_displayValue', words.display);
  const times = [
    ...(words.created ? [part('_createdAt', words.created)] : []),
    ...(words.updated ? [part('_updatedAt', words.updated)] : []),
  ];
  const deleted = part('_deletedAt', words.deleted);
  const addActions = compileAvailableActions(actions, entity);
  const isCustom = hasCustomFields(customFields);
  return ({ key, row }, problems = [], types = NO_TYPES) => {
    if (!matches(row)) return null;
    const values: Row = { code: code.read(row, problems) ?? key };
    for (const { name, read } of plain) {
      const value = read(row, problems);
      if (value !== undefined) values[name] = value;
    }
    values._displayValue = label(display.read(row, problems)) ?? label(values.name) ?? label(values.code) ?? key;
    for (const { name, read } of times) values[name] = read(row, problems) ?? null;
    if (isCustom) values.customFields = customFields.read(row, problems, types);
    const deletedAt = (deleted.read(row, problems) ?? null) as string | null;
    addActions?.(values, deletedAt !== null);
    const references: References = {};
    for (const { name, read } of related) references[name] = (read(row, problems) ?? null) as References[string];
    return { _source: stream, _idValue: key, values, references, deletedAt };
  };
}

interface FieldReading {
  readonly name: string;
  /** The value in the record; undefined if there is none and the field does not allow null. */
  readonly read: (row: Row, problems: Problems) => unknown;
}

/**
 * How one field is read. A value that the document forbids, or that a word cannot read, is recorded and treated as missing. A
 * missing value is null if the document allows null; for a list it is the empty list. An empty text that the mapping lists is
 * a value.
 */
function compileField(name: string, word: Word | null | undefined, field: Field | undefined): FieldReading {
  const read = word?.read;
  if (!read) return { name, read: () => undefined };
  const accept = field ? compileAccept(field) : (value: unknown) => value;
  const none = (field?.nullable ?? true) ? null : undefined;
  const empty = none === undefined && isList(field) ? [] : none;
  const keepsParts = isList(field) || field?.kind === 'object';
  const takesBlank = (word.listsBlank ?? false) && field?.kind === 'text' && !field.limits?.minLength;
  const isSecret = sourcePaths(name, word).some(({ path }) => isSecretPath(path));
  return {
    name,
    read(row, problems) {
      const before = problems.length;
      const value = read(row, problems);
      if (value === null && problems.length === before) return empty;
      if (value === '' && takesBlank) return value;
      // A text with an unreadable part would be a different text.
      const accepted = problems.length === before || keepsParts ? accept(value, problems) : null;
      if (problems.length > before) named(name, problems, before);
      if (isSecret) conceal(problems, before);
      return accepted ?? none;
    },
  };
}

function conceal(problems: Problems, start: number): void {
  for (const problem of problems.slice(start)) problem.example = null;
}

function isList(field: Field | undefined): boolean {
  const kind = field?.kind;
  return kind === 'texts' || kind === 'objects' || kind === 'relations';
}

function label(value: unknown): string | null {
  return scalarText(value) || null;
}
