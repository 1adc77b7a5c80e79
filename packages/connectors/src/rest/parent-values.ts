import type { Row } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { optionsOf, type ParentOptions } from './options.ts';

/** The values for which the list of a stream is read, by their names in addresses. */
export function valuesOfParents({ of = [], as }: Pick<ParentOptions, 'of' | 'as'>): readonly Row[] {
  const [name = ''] = [as].flat();
  return of.map((each) => (typeof each === 'string' ? { [name]: each } : each));
}

/** Values with the names in addresses that belong to their parent: one of `of` can have several spellings. */
export function withParentNames(stream: Stream, values: Row): Row {
  const { parents } = optionsOf(stream);
  if (!parents?.of) return values;
  const [name = ''] = [parents.as].flat();
  const found = valuesOfParents(parents).find((each) => each[name] === values[name]);
  return { ...values, ...found };
}
