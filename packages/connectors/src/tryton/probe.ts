import type { Column, StreamProbe } from '../driver.ts';
import type { ButtonNames } from './button-names.ts';
import type { Flags } from './flags.ts';
import type { ModelOptions } from './options.ts';
import { linesName, type RowReader, referenceNames } from './row-reader.ts';
import type { FieldSchema, ModelSchema, Schemas } from './schemas.ts';
import { trytonScalar } from './tryton-scalar.ts';

interface Parts {
  readonly schemas: Schemas;
  readonly buttons: ButtonNames;
  readonly flags: Flags;
  readonly reader: RowReader;
}

/** Names that rows of the stream have in this database; null when it does not have the model. */
export async function columns(parts: Parts, options: ModelOptions): Promise<readonly Column[] | null> {
  const schema = await parts.schemas.asNamed(options.model);
  if (schema.size === 0) return null;
  const existing = await parts.reader.existingFields(options);
  return columnsOf(parts, schema, options, [...existing.keys()]);
}

/**
 * The parts of a stream that this database has. A model or field whose module is not installed is not a problem, because
 * databases of one platform have different modules: it is reported in the notes.
 */
export async function probe(parts: Parts, options: ModelOptions, actions: readonly string[]): Promise<StreamProbe> {
  const schema = await parts.schemas.of(options.model);
  if (schema.size === 0) {
    const notes = [`Tryton has no model ${options.model}: its module is not installed, so the stream stays empty`];
    return { sample: null, problems: [], notes };
  }
  const existing = await parts.reader.existingFields(options);
  const absent = options.fields.filter((field) => !existing.has(field));
  const [row] = await parts.reader.search(options, [], 1);
  return {
    sample: row ? { key: String(row.id), row } : null,
    problems: await buttonProblems(parts, options, actions),
    notes: absent.length > 0 ? [`Tryton has no ${absent.join(', ')} in ${options.model}`] : [],
  };
}

/** Fields of the model, and what the driver adds to its rows. */
function columnsOf({ flags }: Parts, schema: ModelSchema, options: ModelOptions, fields: readonly string[]): Column[] {
  const { firsts = {}, positions = {}, lines = [], references = [], matches = {} } = options;
  const found = new Map<string, Column>();
  const add = (name: string, type: string, referred: string | null = null) => {
    const scalar = trytonScalar({ type });
    const refersTo = referred !== null && type.endsWith('2one') ? { table: referred, column: 'id' } : undefined;
    found.set(name, { name, type, ...(scalar && { scalar }), ...(refersTo && { refersTo }) });
  };
  add('id', schema.get('id')?.type ?? '');
  for (const [name = '', ...below] of fields.map((field) => field.split('.'))) {
    const { type = '', relation = null } = schema.get(name) ?? {};
    if (below.length > 0) found.set(name, { name, type: `record of ${type}` });
    else if (!found.has(name)) add(name, type, relation);
  }
  for (const name of Object.keys(firsts)) add(name, 'char');
  for (const name of lines.map(linesName)) found.set(name, { name, type: 'list of char' });
  for (const { model, id } of references.map(referenceNames)) {
    add(model, 'char');
    add(id, 'integer');
  }
  for (const name of Object.keys(positions)) add(name, 'integer');
  for (const name of Object.keys(matches)) add(name, 'boolean');
  for (const name of flags.of(options.model).keys()) add(name, 'boolean');
  return [...found.values()].map((column) => ({
    ...column,
    ...changeable(column.name, schema.get(column.name), firsts),
  }));
}

/** Whether writes can set a field. Of the fields that the driver adds, they can set only the first record of a list. */
function changeable(
  name: string,
  field: FieldSchema | undefined,
  firsts: object,
): Pick<Column, 'isReadOnly' | 'isRequired'> {
  if (!field) return Object.hasOwn(firsts, name) ? {} : { isReadOnly: true };
  if (field.readonly || name === 'id') return { isReadOnly: true };
  // A boolean of Tryton has no null.
  return field.required || field.type === 'boolean' ? { isRequired: true } : {};
}

/** The buttons that the actions press and that Tryton does not have. */
async function buttonProblems(parts: Parts, { model, buttons = {} }: ModelOptions, actions: readonly string[]) {
  const pressed = actions.flatMap((action) => {
    const { first = {}, then } = (Object.hasOwn(buttons, action) && buttons[action]) || {};
    return [...Object.values(first), action, ...(then ? [then.press] : [])];
  });
  if (pressed.length === 0) return [];
  const known = await parts.buttons.of(model);
  const unknown = [...new Set(pressed)].filter((name) => !known.has(name));
  return unknown.map((name) => `${name}: Tryton has no button "${name}" in ${model}`);
}
