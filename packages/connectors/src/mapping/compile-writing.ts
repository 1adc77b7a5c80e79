import type { Entity } from '@unified/contract';
import type { Row } from '../driver.ts';
import type { CompiledWords } from './compile.ts';
import { compileWord } from './compile-word.ts';
import type { FieldDefinitions, MappingDefinition } from './definition.ts';
import type { WriteOperation, Written } from './mapping.ts';
import { holds, segments, writer } from './path.ts';
import { at, type Place, refuse, top } from './place.ts';
import type { Read } from './word.ts';

/** How requests become values to send. */
export function compileWriting(
  { onCreate = {} }: MappingDefinition,
  words: CompiledWords,
  entity: Entity | undefined,
  file: string,
): (input: Row, options: { readonly op: WriteOperation }) => Written {
  const additions = compileSends(onCreate, at(top(file), 'onCreate'));
  const clearable = [...words.fields.keys()].filter(
    (name) => entity?.field[name]?.nullable && entity.field[name].writable,
  );
  return (input, { op }) => {
    const values: Row = {};
    const unsupported: string[] = [];
    const given = op === 'replace' ? { ...Object.fromEntries(clearable.map((name) => [name, null])), ...input } : input;
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) continue;
      const write = words.fields.get(name)?.write;
      if (write) write(value, values, name, unsupported);
      else if (Object.hasOwn(input, name)) unsupported.push(name);
    }
    if (op === 'create')
      for (const { names, put, send } of additions) if (!holds(values, names)) put(send(input), values);
    return { values, unsupported };
  };
}

/** Words over a request, each with the path in the system that takes its value. */
export function compileSends(definitions: FieldDefinitions, place: Place): readonly Sent[] {
  return Object.entries(definitions).map(([target, definition]) => {
    const spot = at(place, target);
    const names = segments(target, spot);
    const { send } = compileWord(definition, spot);
    if (!send)
      refuse(spot, 'this word cannot be used over a request; name the property instead, such as "reason.code"');
    return { names, put: writer(names), send };
  });
}

interface Sent {
  readonly names: readonly string[];
  readonly put: (value: unknown, out: Row) => void;
  readonly send: Read;
}
