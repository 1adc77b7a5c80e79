import type { Platform } from '@unified/connectors';
import { dataPrefix, entityOf } from '@unified/contract';
import type { SystemReport } from '@unified/engine';

/**
 * Address of a list that has records after the first sync, without the origin: of an entity whose stream has rows, as far as the
 * system was checked. Vendors, if the platform maps them, since the examples of the documentation read them.
 */
export function firstList({ mappings }: Pick<Platform, 'mappings'>, report: SystemReport | undefined): string {
  const mapped = Object.keys(mappings);
  const found = report?.streams.flatMap(({ sample, entities }) => (sample === null ? [] : entities)) ?? [];
  const [first] = [found, mapped].flatMap((names) => (names.includes('Vendor') ? ['Vendor'] : names));
  return `${dataPrefix}/${entityOf(first ?? '')?.collection ?? 'vendors'}`;
}
