import type { Row } from '../driver.ts';
import { refuse, type SchemaPath } from './schema-path.ts';
import type { Read } from './word.ts';

const LONGEST = 8;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);

/** The names of a path, in which a dot that belongs to a name is written `\.`. */
export function namesOfPath(path: string): string[] {
  return path.includes('\\.') ? path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.')) : path.split('.');
}

/** The path of a column. */
export function pathOfColumn(name: string): string {
  return name.replaceAll('.', '\\.');
}

/** The names of a dotted path. Names that could access more than the data of the row are refused. */
export function segments(path: string, place: SchemaPath): readonly string[] {
  const names = namesOfPath(path);
  if (names.length > LONGEST) refuse(place, `path "${path}" has more than ${LONGEST} names`);
  for (const name of names) {
    if (name === '') refuse(place, `path "${path}" has an empty name`);
    if (FORBIDDEN.has(name)) refuse(place, `path "${path}" may not contain "${name}"`);
  }
  return names;
}

/** Reads the value at a path; null if any part of it is missing. Reads only own properties. */
export function reader(names: readonly string[]): Read {
  const [first = '', second] = names;
  if (names.length === 1) return (row) => own(row, first);
  if (names.length === 2 && second !== undefined) return (row) => own(own(row, first), second);
  return (row) => names.reduce<unknown>(own, row);
}

/** Sets a value at a path and creates the objects in between. */
export function writer(names: readonly string[]): (value: unknown, out: Row) => void {
  const parents = names.slice(0, -1);
  const last = names.at(-1) ?? '';
  return (value, out) => {
    let target = out;
    for (const name of parents) target = childOf(target, name);
    target[last] = value;
  };
}

/** Whether the values to send already contain a value at a path. */
export function holds(out: Row, names: readonly string[]): boolean {
  let target: unknown = out;
  for (const name of names) {
    if (!hasProperties(target) || !Object.hasOwn(target, name)) return false;
    target = target[name];
  }
  return true;
}

/** Whether a value is an object or a list. */
export function hasProperties(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function own(value: unknown, name: string): unknown {
  return hasProperties(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function childOf(parent: Row, name: string): Row {
  const existing = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (hasProperties(existing)) return existing;
  const made: Row = {};
  parent[name] = made;
  return made;
}
