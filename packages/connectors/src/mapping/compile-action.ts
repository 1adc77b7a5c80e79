import type { Row } from '../driver.ts';
import { actNames } from './act-names.ts';
import { compileWord } from './compile-word.ts';
import { compileSends, rootOf } from './compile-writing.ts';
import type { ActionDefinition } from './definition.ts';
import type { CompiledAction } from './mapping.ts';
import { scalarText } from './scalar-text.ts';
import { at, refuse, type SchemaPath } from './schema-path.ts';
import type { Read } from './word.ts';

/** The driver request for an action. Fields that the request omits are not sent; null is sent. */
export function compileAction({ act, values = {}, touches = [] }: ActionDefinition, place: SchemaPath): CompiledAction {
  const named = actOf(act, at(place, 'act'));
  const sends = compileSends(values, at(place, 'values'));
  const known = new Set([...named.roots, ...sends.flatMap(({ roots }) => roots)]);
  return {
    acts: actNames(act),
    inputs: [...known],
    written: Object.keys(values),
    touches,
    write(input: Row) {
      const out: Row = {};
      for (const { put, send, roots } of sends) {
        const value = send(input);
        if (value !== null || roots.some((root) => input[root] === null)) put(value, out);
      }
      const unsupported = Object.keys(input).filter((name) => !known.has(name) && !isEmpty(input[name]));
      return { act: scalarText(named.read(input)), values: out, unsupported };
    },
  };
}

/** A plain text is the name itself. A word is applied to the request; its tables are "theirs: ours", as everywhere. */
function actOf(act: ActionDefinition['act'], place: SchemaPath): { read: Read; roots: readonly string[] } {
  if (typeof act === 'string') return { read: () => act, roots: [] };
  const { send, paths } = compileWord(act, place);
  if (!send) refuse(place, 'this expression does not yield a name');
  return { read: send, roots: paths.map(rootOf) };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}
