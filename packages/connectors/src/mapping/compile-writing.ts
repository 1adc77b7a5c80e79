import type { Row, WriteOperation } from '../driver.ts';
import type { CompiledWords } from './compile.ts';
import { compileWord } from './compile-word.ts';
import type { CustomFields } from './custom-fields.ts';
import type { FieldDefinitions, MappingDefinition } from './definition.ts';
import type { Written } from './mapping.ts';
import { hasProperties, holds, namesOfPath, segments, writer } from './path.ts';
import { at, refuse, type SchemaPath, top } from './schema-path.ts';
import type { Read } from './word.ts';

/** How requests become values to send. */
export function compileWriting(
  { onCreate = {}, onWrite = {} }: MappingDefinition,
  words: CompiledWords,
  customFields: CustomFields,
  file: string,
): (input: Row, options: { readonly op: WriteOperation }) => Written {
  const additions = compileSends(onCreate, at(top(file), 'onCreate'));
  const always = compileSends(onWrite, at(top(file), 'onWrite'));
  const put = (name: string, value: unknown, { values, unsupported }: Sending) => {
    const write = words.fields.get(name)?.write;
    if (write) write(value, values, name, unsupported);
    else if (!isEmpty(value)) unsupported.push(name);
  };
  return (input, { op }) => {
    const sending: Sending = { values: {}, unsupported: [] };
    for (const [name, value] of Object.entries(input))
      if (name === 'customFields') putCustom(customFields, value, sending);
      else if (value !== undefined) put(name, value, sending);
    const added = op === 'create' ? additions.filter(({ names }) => !holds(sending.values, names)) : [];
    const all = op === 'delete' ? [] : [...added, ...always.filter(({ names }) => !holds(sending.values, names))];
    for (const addition of all) addition.put(addition.send(input), sending.values);
    return sending;
  };
}

/** Custom fields are sent under their own names. */
function putCustom(customFields: CustomFields, value: unknown, { values, unsupported }: Sending): void {
  if (!hasProperties(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (customFields.canWrite(name)) values[name] = each;
    else if (!isEmpty(each)) unsupported.push(`customFields.${name}`);
  }
}

/** Whether the value is empty, as a field that the system does not support already is. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

interface Sending {
  readonly values: Row;
  readonly unsupported: string[];
}

/** Words applied to a request, each with the path in the system that gets its value. */
export function compileSends(definitions: FieldDefinitions, place: SchemaPath): readonly Sent[] {
  return Object.entries(definitions).map(([path, definition]) => {
    const spot = at(place, path);
    const names = segments(path, spot);
    const { send, paths } = compileWord(definition, spot);
    if (!send)
      refuse(spot, 'this expression cannot be applied to a request; use the property instead, such as "reason.code"');
    return { names, put: writer(names), send, roots: paths.map(rootOf) };
  });
}

interface Sent {
  readonly names: readonly string[];
  readonly put: (value: unknown, out: Row) => void;
  readonly send: Read;
  /** Properties of the request that the value comes from. */
  readonly roots: readonly string[];
}

/** Property of a request that a path begins with: `reason.code` is `reason`. */
export function rootOf(path: string): string {
  return namesOfPath(path)[0] ?? '';
}
