/** Names of entities that are abbreviations. */
const ABBREVIATED: Readonly<Record<string, string>> = { Rfq: 'RFQ' };

/** The name of an entity as messages write it: `PurchaseOrder` is `purchase order`. */
export function spokenName(entity: string): string {
  return ABBREVIATED[entity] ?? entity.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
