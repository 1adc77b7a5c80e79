import type { Reference } from '@unified/contract';
import type { Row } from '../../driver.ts';
import { joinKey, splitKey } from '../../row-key.ts';
import type { By, ElementKey, Vocabulary } from '../definition.ts';
import { hasProperties, reader, segments } from '../path.ts';
import { isBlank, type Problems, unusable } from '../problem.ts';
import { scalarText } from '../scalar-text.ts';
import { refuse, type SchemaPath } from '../schema-path.ts';
import type { Read, Word, Write } from '../word.ts';
import { NO_TEXT } from './key.ts';

/** The word that reads what identifies a target in a row: `plain`, or a different one for some kinds of targets. */
export interface TargetValue {
  readonly plain: Word;
  readonly of: (entity: string) => Word;
}

/** `ref`: a reference to one record, identified by the value in the row. */
export function ref(entity: string | Word, by: By, value: TargetValue, place: SchemaPath): Word {
  const { plain } = value;
  const paths = typeof entity === 'string' ? plain.paths : [...entity.paths, ...plain.paths];
  if (typeof entity !== 'string' && entity.outcomes === undefined) refuse(place, 'entity must be a name or a lookup');
  return {
    yields: 'reference',
    paths,
    outcomes: typeof entity === 'string' ? [entity] : (entity.outcomes ?? []),
    send: null,
    read: plain.read && (typeof entity === 'string' ? readingOne(entity, by, value) : readingAny(entity, by, value)),
    write: plain.write && writing(entity, by, value),
    written: plain.write ? [...(typeof entity === 'string' ? [] : entity.written), ...plain.written] : [],
  };
}

/** `refs`: references to several records. */
export function refs({ entity, by, value }: Vocabulary['refs'], each: Word, place: SchemaPath): Word {
  const part = value === undefined ? null : partOf(value, place);
  const { read, write } = each;
  // A list at a path contains keys from the driver; the parts of a text and of objects are values of columns.
  const ofColumns = each.yields === 'texts' || part !== null;
  const isEscaped =
    ofColumns && typeof value !== 'object' && by === '_idValue' && (place.singleKeys?.has(entity) ?? false);
  const keyOf = (element: unknown) => {
    const text = scalarText(element);
    return text === null || isBlank(text) ? element : joinKey([text]);
  };
  return {
    yields: 'references',
    paths: each.paths,
    outcomes: [entity],
    send: null,
    read:
      read &&
      ((row, problems) => {
        const elements = elementsOf(read(row, problems), part, problems);
        return referencesTo(entity, by, isEscaped ? elements.map(keyOf) : elements, problems);
      }),
    write: write && (value === undefined ? writingAll(entity, by, write, isEscaped) : null),
    written: value === undefined ? each.written : [],
  };
}

/** The key in an element; its parts are joined as by the word `key`. */
function partOf(value: ElementKey, place: SchemaPath): Read {
  if (typeof value === 'string') return reader(segments(value, place));
  const parts = value.key.map((path) => reader(segments(path, place)));
  return (element) => {
    const texts = parts.map((read) => scalarText(read(element))).filter((text) => text !== null);
    return texts.length < parts.length ? null : joinKey(texts);
  };
}

function readingOne(entity: string, by: By, value: TargetValue): Read | null {
  const { read } = value.of(entity);
  return read && ((row, problems) => referenceTo(entity, by, read(row, problems), problems));
}

function readingAny({ read: readKind }: Word, by: By, value: TargetValue): Read | null {
  if (readKind === null) return null;
  return (row, problems) => {
    const ofKind: Problems = [];
    const kind = scalarText(readKind(row, ofKind));
    const named = value.of(kind ?? '').read?.(row, problems);
    // The entity does not matter if there is no reference.
    if (isBlank(named)) return null;
    problems?.push(...ofKind);
    return referenceTo(kind, by, named, problems);
  };
}

function referenceTo(entity: string | null, by: By, value: unknown, problems: Problems | undefined): Reference | null {
  const text = scalarText(value);
  if (text === null) return unusable(problems, value, NO_TEXT);
  if (isBlank(text) || !entity) return null;
  // Blanks may be part of a key; around a code or a label they are not.
  return { entity, by, value: by === '_idValue' ? text : text.trim() };
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
  return part ? list.map((element) => (hasProperties(element) ? part(element) : null)) : list;
}

function writing(entity: string | Word, by: By, { plain, of }: TargetValue): Write {
  const kinds = typeof entity === 'string' ? [entity] : (entity.outcomes ?? []).map(String);
  const [only = ''] = kinds.length === 1 ? kinds : [];
  return (value, out, name, unsupported) => {
    if (value === null) return plain.write?.(null, out, name, unsupported);
    const target = hasProperties(value) ? value : {};
    if (!kinds.some((kind) => isOf(target, kind))) return void unsupported.push(name);
    if (typeof entity !== 'string') entity.write?.(target.entity ?? null, out, name, unsupported);
    of(scalarText(target.entity) ?? only).write?.(target[by] ?? null, out, name, unsupported);
  };
}

function writingAll(entity: string, by: By, write: Write, isEscaped: boolean): Write {
  const named = (text: unknown) => (isEscaped && typeof text === 'string' ? splitKey(text).join('/') : (text ?? null));
  return (value, out, name, unsupported) => {
    const targets = (Array.isArray(value) ? value : []).filter(hasProperties);
    if (!targets.every((target) => isOf(target, entity))) return void unsupported.push(name);
    write(
      targets.map((target) => named(target[by])),
      out,
      name,
      unsupported,
    );
  };
}

function isOf(target: Row, entity: string): boolean {
  return target.entity === undefined || target.entity === entity;
}
