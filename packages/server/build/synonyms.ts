/** Business terms for titles of the reference that use different words. The search also finds the titles by these terms. */
const SYNONYMS: Readonly<Record<string, string>> = {
  account: 'general ledger gl chart of accounts',
  attachment: 'document file upload download',
  authentication: 'api key apikey login bearer auth credentials',
  'bills of material': 'bom recipe',
  'business unit': 'department division cost center',
  caching: 'cache etag gzip',
  changes: 'delta feed cdc polling incremental',
  'custom field': 'user-defined additional extension',
  customer: 'debtor buyer',
  employee: 'staff worker personnel',
  error: 'exception status code failure',
  expand: 'include embed join',
  file: 'document upload download attachment',
  filter: 'query where condition',
  idempotency: 'retry duplicate exactly once',
  invoice: 'bill',
  item: 'product article sku material part',
  journal: 'posting booking general ledger gl',
  limit: 'throttling quota rate',
  location: 'warehouse storage',
  oauth: 'login authorization sso',
  paging: 'pagination paginate cursor offset',
  payable: 'accounts payable ap creditor open',
  partner: 'business company counterparty',
  production: 'manufacturing',
  'purchase order': 'po procurement',
  quote: 'quotation offer proposal',
  receipt: 'goods received grn delivery',
  receivable: 'accounts receivable ar debtor open',
  requisition: 'purchase request pr',
  rfq: 'request for quotation tender',
  'sales order': 'customer order so',
  secret: 'password credentials',
  shipment: 'delivery dispatch',
  'stock level': 'inventory quantity on hand availability',
  taxonom: 'category classification group',
  unit: 'uom measure',
  vendor: 'supplier creditor',
  webhook: 'callback notification hook push',
  'work order': 'maintenance job ticket',
};

const patterns = Object.entries(SYNONYMS).map(([word, others]) => ({
  word,
  at: new RegExp(`\\b${word}`, 'i'),
  others,
}));

/** Synonyms for the words of a title, separated by spaces; empty if there are none. */
export function synonymsOf(title: string): string {
  return patterns.flatMap(({ at, others }) => (at.test(title) ? others : [])).join(' ');
}

/** The words that have synonyms but do not occur in any of these titles. */
export function unusedWords(titles: readonly string[]): string[] {
  return patterns.filter(({ at }) => !titles.some((title) => at.test(title))).map(({ word }) => word);
}
