import { ROW_KEY, type Row } from '../../driver.ts';
import { hasProperties, reader, segments, writer } from '../path.ts';
import { isBlank, named, type Problems, unusable } from '../problem.ts';
import type { SchemaPath } from '../schema-path.ts';
import type { Read, Word, Words, Write, WrittenPath } from '../word.ts';

/** `object`: an object from parts of the row; null if all parts are null. */
export function object(words: Words): Word {
  const read = building(words);
  return {
    yields: 'object',
    paths: words.flatMap(([, { paths }]) => paths),
    written: writtenIn(words),
    read: (row, problems) => {
      const made = read(row, problems);
      return Object.values(made).some((value) => value !== null) ? made : null;
    },
    write: dismantling(words),
    send: null,
    parts: words,
  };
}

/**
 * `list`: a list of objects. The custom fields of an object are sent under their own names; the ones that the mapping of the
 * lines allows are checked earlier.
 */
export function list(from: string | undefined, to: string | undefined, words: Words, place: SchemaPath): Word {
  const written = to ?? from ?? '';
  const elements = reader(segments(from ?? to ?? '', place));
  const put = writer(segments(written, place));
  const read = building(words);
  const take = dismantling(words);
  // A column that a word writes is not a custom field.
  const taken = new Set([ROW_KEY, ...writtenIn(words).map(({ path }) => segments(path, place)[0] ?? '')]);
  return {
    yields: 'objects',
    paths: [from ?? to ?? ''],
    written: [
      { below: '', path: written },
      ...writtenIn(words).map(({ below, path }) => ({ below, path: `${written}.${path}` })),
    ],
    read: (row, problems) => {
      const theirs = elements(row);
      if (Array.isArray(theirs)) return objectsOf(theirs, problems).map((element) => read(element, problems));
      return isBlank(theirs) ? [] : unusable(problems, theirs, 'The value is not a list.');
    },
    write: (value, out, name, unsupported) =>
      put(
        objectsOf(value).map(({ [ROW_KEY]: key, customFields, ...element }) => {
          const made: Row = key === undefined ? {} : { [ROW_KEY]: key };
          for (const [column, each] of Object.entries(hasProperties(customFields) ? customFields : {}))
            if (taken.has(column)) unsupported.push(`${name}.customFields.${column}`);
            else made[column] = each;
          take(element, made, name, unsupported);
          return made;
        }),
        out,
      ),
    send: sending(elements, words),
    parts: words,
  };
}

function writtenIn(words: Words): WrittenPath[] {
  return words.flatMap(([name, { written }]) =>
    written.map(({ below, path }) => ({ below: `.${name}${below}`, path })),
  );
}

function building(words: Words): (row: Row, problems?: Problems) => Row {
  const reads = words.flatMap(([name, { read }]) => (read ? [[name, read] as const] : []));
  return (row, problems) => {
    const made: Row = {};
    for (const [name, read] of reads) {
      const before = problems?.length ?? 0;
      made[name] = read(row, problems);
      named(name, problems, before);
    }
    return made;
  };
}

/** Writes each property that the value has; an object that is null clears all of them. */
function dismantling(words: Words): Write {
  const writes = new Map(words.map(([name, { write }]) => [name, write]));
  return (value, out, name, unsupported) => {
    const given = hasProperties(value) ? value : Object.fromEntries(words.map(([part]) => [part, null]));
    for (const [part, ours] of Object.entries(given)) {
      const write = writes.get(part);
      if (write) write(ours ?? null, out, `${name}.${part}`, unsupported);
      else if (ours !== undefined && hasProperties(value)) unsupported.push(`${name}.${part}`);
    }
  };
}

function sending(elements: Read, words: Words): Read | null {
  const sends = words.flatMap(([name, { send }]) => (send ? [[name, send] as const] : []));
  if (sends.length < words.length) return null;
  const sent = (element: Row) => Object.fromEntries(sends.map(([name, send]) => [name, send(element)]));
  return (input) => {
    const given = elements(input);
    return given === null ? null : objectsOf(given).map(sent);
  };
}

function objectsOf(value: unknown, problems?: Problems): readonly Row[] {
  if (!Array.isArray(value)) return [];
  return value.filter((element) => {
    const fits = hasProperties(element);
    if (!fits) unusable(problems, element, 'An element of the list is not an object.');
    return fits;
  });
}
