import type { Entity, MappedRecord, Reference } from '@unified/contract';
import type { RawRow, Row } from '../driver.ts';
import { compileAvailableActions } from './available-actions.ts';
import type { CompiledWords } from './compile.ts';
import { compileConditions } from './condition.ts';
import type { MappingDefinition } from './definition.ts';
import { at, top } from './place.ts';
import { scalarText } from './scalar-text.ts';
import type { Read } from './word.ts';

type References = Record<string, Reference | readonly Reference[] | null>;

/** How rows of the stream become records: one list of closures, run in the same order for every row. */
export function compileReading(
  { stream, where, actions }: MappingDefinition,
  words: CompiledWords,
  entity: Entity | undefined,
  file: string,
): (row: RawRow) => MappedRecord | null {
  const matches = compileConditions(where, at(top(file), 'where'));
  const fields = [...words.fields].flatMap(([name, { read, yields }]) =>
    // A field that cannot be null is left out where the row has no value for it.
    read ? [{ name, read, yields, nullable: entity?.field[name]?.nullable ?? true }] : [],
  );
  const isReference = ({ yields }: (typeof fields)[number]) => yields === 'reference' || yields === 'references';
  const plain = fields.filter((field) => !isReference(field) && field.name !== 'code');
  const related = fields.filter(isReference);
  const code = words.fields.get('code')?.read ?? missing;
  const display = words.display?.read ?? missing;
  const times = [
    ...(words.created?.read ? [{ name: '_createdAt', read: words.created.read }] : []),
    ...(words.updated?.read ? [{ name: '_updatedAt', read: words.updated.read }] : []),
  ];
  const deleted = words.deleted?.read ?? missing;
  const addActions = compileAvailableActions(actions, entity);
  return ({ key, row }) => {
    if (!matches(row)) return null;
    const values: Row = { code: code(row) ?? key };
    for (const { name, read, nullable } of plain) {
      const value = read(row);
      if (value !== null || nullable) values[name] = value;
    }
    values._displayValue = label(display(row)) ?? label(values.name) ?? label(values.code) ?? key;
    for (const { name, read } of times) values[name] = read(row);
    const deletedAt = deleted(row) as string | null;
    addActions?.(values, deletedAt !== null);
    const references: References = {};
    for (const { name, read } of related) references[name] = read(row) as References[string];
    return { _source: stream, _idValue: key, values, references, deletedAt };
  };
}

const missing: Read = () => null;

function label(value: unknown): string | null {
  return scalarText(value) || null;
}
