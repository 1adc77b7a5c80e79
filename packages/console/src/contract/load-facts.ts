import { queryOptions } from '@tanstack/react-query';
import type { EntityFacts } from './entity-facts.ts';

const files = import.meta.glob<{ default: unknown }>('../../generated/entities/*.json');

/** The fields and forms of an entity, from a file that is loaded when it is first needed. */
export function factsQuery(entity: string) {
  return queryOptions({
    queryKey: ['facts', entity],
    queryFn: async (): Promise<EntityFacts> => {
      const load = files[`../../generated/entities/${entity}.json`];
      if (!load) throw new TypeError(`The document has no entity "${entity}".`);
      return (await load()).default as EntityFacts;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
