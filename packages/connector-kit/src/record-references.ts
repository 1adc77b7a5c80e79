import type { MappedRecord, Reference } from '@unified/contract';

/** The references of one field of an entity to records of one other entity, with the number of records that have each. */
export interface FieldReferences {
  /** Such as `PurchaseOrder.vendor`. */
  readonly field: string;
  readonly entity: string;
  readonly by: Reference['by'];
  readonly counts: Map<string, number>;
}

/** What records refer to, and what they are referred to by. */
export class RecordReferences {
  readonly #fields = new Map<string, FieldReferences>();
  /** By entity and property. */
  readonly #identities = new Map<string, Set<string>>();

  get fields(): readonly FieldReferences[] {
    return [...this.#fields.values()];
  }

  /** Whether a record with this value was added. */
  has(entity: string, by: Reference['by'], value: string): boolean {
    return this.#identities.get(`${entity} ${by}`)?.has(value) === true;
  }

  add(entity: string, record: MappedRecord): void {
    const { values, references, _idValue } = record;
    const code = typeof values.code === 'string' ? values.code : _idValue;
    this.#identify(entity, '_idValue', _idValue);
    this.#identify(entity, 'code', code);
    for (const name of [values._displayValue, values.name, code])
      if (typeof name === 'string') this.#identify(entity, '_displayValue', name);
    for (const [name, found] of Object.entries(references))
      for (const reference of [found ?? []].flat()) this.#refer(`${entity}.${name}`, reference);
  }

  #identify(entity: string, by: Reference['by'], value: string): void {
    const known = this.#identities.get(`${entity} ${by}`) ?? new Set();
    this.#identities.set(`${entity} ${by}`, known.add(value));
  }

  #refer(field: string, { entity, by, value }: Reference): void {
    const id = `${field} ${entity} ${by}`;
    const known = this.#fields.get(id) ?? { field, entity, by, counts: new Map<string, number>() };
    known.counts.set(value, (known.counts.get(value) ?? 0) + 1);
    this.#fields.set(id, known);
  }
}

/**
 * A sentence for each field with references that no record of `targets` has, with their number and an example. Only entities for
 * which all records were read (`isWhole`) are compared.
 */
export function unmatchedReferences(all: readonly RecordReferences[], isWhole: (entity: string) => boolean): string[] {
  return all.flatMap(({ fields }) =>
    fields.flatMap(({ field, entity, by, counts }) => {
      if (!isWhole(entity)) return [];
      const unmatched = [...counts].filter(([value]) => !all.some((records) => records.has(entity, by, value)));
      const [first] = unmatched;
      if (!first) return [];
      const sum = (of: Iterable<number>) => [...of].reduce((total, count) => total + count, 0);
      const missing = sum(unmatched.map(([, count]) => count));
      const example = first[0].slice(0, 60);
      return [
        `${field}: ${missing} of ${sum(counts.values())} references match no ${entity} by ${by}, such as "${example}". ` +
          'They stay empty. Check `by` and `value` of the expression, or complete the data in the system.',
      ];
    }),
  );
}
