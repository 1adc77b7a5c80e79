import type { Row } from '../driver.ts';
import { isObject, valueAt } from './json-body.ts';

/** A list in the rows of a stream. */
export interface ListInRows {
  /** Properties of the row that its elements get, by the name that they have there. */
  readonly inherit?: Readonly<Record<string, string>>;
  /** Elements are left out unless they have one of the values, by property. */
  readonly only?: Readonly<Record<string, readonly unknown[]>>;
}

/** A row whose lists contain only the elements that count, with the properties that they inherit. */
export function withListsOf(row: Row, lists: Readonly<Record<string, ListInRows>> = {}): Row {
  const changed = Object.entries(lists).flatMap(([name, list]) => {
    const elements = row[name];
    return Array.isArray(elements) ? [[name, elementsOf(row, elements, list)] as const] : [];
  });
  return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
}

/** What the elements of a list get from their row. */
export function inherited(row: Row, { inherit = {} }: ListInRows): Row {
  return Object.fromEntries(Object.entries(inherit).map(([name, path]) => [name, valueAt(row, path)]));
}

/** Whether an element has one of the values that elements must have. */
export function counts(element: Row, { only = {} }: Pick<ListInRows, 'only'>): boolean {
  return Object.entries(only).every(([name, values]) => values.includes(element[name]));
}

function elementsOf(row: Row, elements: readonly unknown[], list: ListInRows): readonly Row[] {
  const added = inherited(row, list);
  return elements.filter(isObject).flatMap((element) => (counts(element, list) ? [{ ...element, ...added }] : []));
}
