import type { Reference } from '@unified/contract';
import type { Row } from '../../driver.ts';
import type { By, Vocabulary } from '../definition.ts';
import { isObject, reader, segments } from '../path.ts';
import { type Place, refuse } from '../place.ts';
import { isBlank, type Problems, unusable } from '../problem.ts';
import { scalarText } from '../scalar-text.ts';
import type { Read, Word, Write } from '../word.ts';

/** `ref`: a reference to one record, named by what the row knows of it. */
export function ref(entity: string | Word, by: By, value: Word, place: Place): Word {
  const entityRead = typeof entity === 'string' ? () => entity : entity.read;
  const valueRead = value.read;
  const paths = typeof entity === 'string' ? value.paths : [...entity.paths, ...value.paths];
  if (typeof entity !== 'string' && entity.outcomes === undefined) refuse(place, 'entity must be a name or a lookup');
  return {
    yields: 'reference',
    paths,
    outcomes: typeof entity === 'string' ? [entity] : (entity.outcomes ?? []),
    send: null,
    read:
      entityRead &&
      valueRead &&
      ((row, problems) => {
        const value = valueRead(row, problems);
        // Which kind it would be does not matter where nothing is named.
        return isBlank(value) ? null : referenceTo(scalarText(entityRead(row, problems)), by, value, problems);
      }),
    write: value.write && writing(entity, by, value.write),
  };
}

/** `refs`: references to several records. */
export function refs({ entity, by, value }: Vocabulary['refs'], each: Word, place: Place): Word {
  const part = value === undefined ? null : reader(segments(value, place));
  const { read, write } = each;
  return {
    yields: 'references',
    paths: each.paths,
    outcomes: [entity],
    send: null,
    read:
      read && ((row, problems) => referencesTo(entity, by, elementsOf(read(row, problems), part, problems), problems)),
    write: write && (value === undefined ? writingAll(entity, by, write) : null),
  };
}

function referenceTo(entity: string | null, by: By, value: unknown, problems: Problems | undefined): Reference | null {
  const text = scalarText(value)?.trim();
  if (text === undefined) return unusable(problems, value, 'The value does not name a record: it is not text.');
  return text && entity ? { entity, by, value: text } : null;
}

function referencesTo(
  entity: string,
  by: By,
  values: readonly unknown[],
  problems: Problems | undefined,
): readonly Reference[] {
  return values.map((value) => referenceTo(entity, by, value, problems)).filter((found) => found !== null);
}

function elementsOf(list: unknown, part: Read | null, problems: Problems | undefined): readonly unknown[] {
  if (!Array.isArray(list)) {
    unusable(problems, list, 'The value is not a list.');
    return [];
  }
  return part ? list.map((element) => (isObject(element) ? part(element) : null)) : list;
}

function writing(entity: string | Word, by: By, write: Write): Write {
  const kinds = typeof entity === 'string' ? [entity] : (entity.outcomes ?? []);
  return (value, out, name, unsupported) => {
    if (value === null) return write(null, out, name, unsupported);
    const target = isObject(value) ? value : {};
    if (!kinds.some((kind) => isOf(target, String(kind)))) return void unsupported.push(name);
    if (typeof entity !== 'string') entity.write?.(target.entity ?? null, out, name, unsupported);
    write(target[by] ?? null, out, name, unsupported);
  };
}

function writingAll(entity: string, by: By, write: Write): Write {
  return (value, out, name, unsupported) => {
    const targets = (Array.isArray(value) ? value : []).filter(isObject);
    if (!targets.every((target) => isOf(target, entity))) return void unsupported.push(name);
    write(
      targets.map((target) => target[by] ?? null),
      out,
      name,
      unsupported,
    );
  };
}

function isOf(target: Row, entity: string): boolean {
  return target.entity === undefined || target.entity === entity;
}
