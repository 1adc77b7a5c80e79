/** Names of entities that are abbreviations. */
const ABBREVIATED: Readonly<Record<string, string>> = { Rfq: 'RFQ' };

/** Names before which messages write "an": all that begin with u are spoken as "you". */
const AFTER_AN = /^([aeio]|rfq)/i;

/** A name with its indefinite article: `an Invoice`, `a Unit`. */
export function withArticle(name: string): string {
  return `${AFTER_AN.test(name) ? 'an' : 'a'} ${name}`;
}

/** The name of an entity as messages write it: `PurchaseOrder` is `purchase order`. */
export function spokenName(entity: string): string {
  return ABBREVIATED[entity] ?? entity.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
