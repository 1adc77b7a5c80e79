import type { Row } from '../driver.ts';
import { filled, type Keys } from './call-url.ts';
import { texts } from './change-request.ts';
import { decimalProduct } from './decimal-product.ts';
import { isObject, valueAt } from './json-body.ts';
import type { KeyedList } from './write-options.ts';

/** A new element of a list, with the products of its values and what the system requires. */
export function newElement(values: Row, kind: KeyedList, names: Keys): Row {
  return named({ ...texts(kind.add, names), ...productsOf(values, kind), ...values }, kind, names);
}

/** An element with all of its values: those that the row has, and those that change. */
export function wholeElement(before: Row, changes: Row, kind: KeyedList, names: Keys): Row {
  const base = renamed(before, kind, (ours, theirs) => [theirs, ours], names);
  const merged: Row = { ...base, ...nested(base, changes) };
  const isCalculated = (factors: readonly string[]) => factors.some((path) => valueAt(changes, path) !== null);
  const products = Object.entries(kind.products ?? {}).filter(([, factors]) => isCalculated(factors));
  const changed = productsOf(merged, { ...kind, products: Object.fromEntries(products) });
  return named({ ...merged, ...changed, ...changes, ...nested(base, changes) }, kind, names);
}

/** Objects in a change, with the values that the element has in the same object. */
function nested(base: Row, changes: Row): Row {
  const entries = Object.entries(changes).map(([name, value]) => {
    const old = base[name];
    return [name, isObject(value) && isObject(old) ? { ...old, ...value } : value] as const;
  });
  return Object.fromEntries(entries);
}

function productsOf(values: Row, { products = {} }: KeyedList): Row {
  const calculated = Object.entries(products).flatMap(([name, factors]) => {
    const known = factors.map((path) => valueAt(values, path)).filter((value) => typeof value === 'number');
    return known.length === factors.length ? [[name, decimalProduct(known)] as const] : [];
  });
  return Object.fromEntries(calculated);
}

/** An element whose properties have the names that the system expects. */
function named(element: Row, kind: KeyedList, names: Keys): Row {
  return renamed(element, kind, (ours, theirs) => [ours, theirs], names);
}

function renamed(
  element: Row,
  { names: given = {} }: KeyedList,
  direction: (ours: string, theirs: string) => readonly [from: string, to: string],
  names: Keys,
): Row {
  const pairs = Object.entries(given).map(([ours, theirs]) => direction(ours, filled(theirs, names, String)));
  const renames = new Map(pairs);
  return Object.fromEntries(Object.entries(element).map(([name, value]) => [renames.get(name) ?? name, value]));
}
