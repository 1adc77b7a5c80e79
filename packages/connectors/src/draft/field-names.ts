import type { Field } from '@unified/contract';
import { GERMAN, GERMAN_CREATED, GERMAN_UPDATED } from './german-names.ts';

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/**
 * A name without case, separators and umlauts: `unit_price`, `UnitPrice` and `UNIT PRICE` are `unitprice`, `Währung` is
 * `waehrung`.
 */
export function bare(name: string): string {
  const plain = name.normalize('NFC').toLowerCase();
  return plain.replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Names that systems often have for a field. */
const SYNONYMS: Readonly<Partial<Record<string, readonly string[]>>> = {
  addressee: ['careOf', 'careOfName', 'contactName'],
  amount: ['value', 'sum'],
  bic: ['swift', 'swiftCode'],
  city: ['cityName', 'town'],
  code: ['number', 'no', 'nr', 'num', 'abbr', 'abbreviation'],
  country: ['countryCode', 'countryRegion'],
  currency: ['currencyCode', 'cur', 'curr'],
  customer: ['client', 'debtor', 'soldTo', 'billToCustomer'],
  dateOfBirth: ['birthDate', 'birthday'],
  description: ['descr', 'desc', 'details', 'longText'],
  dueDate: ['due', 'paymentDue', 'paymentDueDate'],
  email: ['mail', 'eMail', 'emailAddress', 'mailAddress'],
  endDate: ['end', 'validTo', 'to'],
  firstName: ['givenName', 'forename'],
  isActive: ['active', 'enabled'],
  item: ['article', 'product', 'part', 'material', 'stockItem'],
  jobTitle: ['title', 'position', 'function'],
  lastName: ['surname', 'familyName'],
  line: ['lineNumber', 'lineNo', 'position', 'pos'],
  line1: ['address', 'street', 'streetName', 'streetAddress', 'address1', 'addressLine1'],
  line2: ['street2', 'address2', 'addressLine2'],
  mobile: ['mobilePhone', 'cell', 'cellPhone'],
  name: ['title', 'subject', 'description1', 'companyName', 'fullName', 'displayName', 'recName'],
  notes: ['note', 'remark', 'remarks', 'memo', 'comment', 'comments'],
  orderDate: ['date', 'documentDate', 'orderedOn', 'orderedAt'],
  paymentTerm: ['paymentTerms', 'terms', 'paymentTermsCode'],
  phone: ['telephone', 'tel', 'phoneNumber', 'phoneNo', 'homePhone', 'workPhone'],
  postalCode: ['zip', 'zipCode', 'postcode'],
  preferredVendor: ['vendor', 'supplier', 'defaultVendor', 'mainSupplier'],
  purchaseOrder: ['order', 'purchase', 'document'],
  quantity: ['qty'],
  quantityOnHand: ['unitsInStock', 'qtyOnHand', 'onHand', 'inStock'],
  reorderPoint: ['reorderLevel', 'minimumStock'],
  requestedDate: ['requiredDate', 'neededBy', 'needByDate'],
  salesOrder: ['order', 'sale', 'document'],
  salesPerson: ['salesRep', 'seller', 'employee'],
  salesPrice: ['listPrice', 'salePrice', 'unitPrice'],
  shippingCost: ['freight', 'freightCost', 'shippingFee'],
  standardCost: ['costPrice', 'standardPrice'],
  startDate: ['start', 'validFrom', 'from'],
  state: ['region', 'province'],
  statusCategory: ['status', 'state'],
  subtotal: ['untaxedAmount', 'amountUntaxed', 'netAmount', 'totalNet'],
  superior: ['reportsTo', 'manager', 'supervisor'],
  taxNumber: ['vat', 'vatNumber', 'vatId', 'taxId', 'vatRegistration', 'vatRegistrationNo'],
  taxTotal: ['taxAmount', 'amountTax', 'vatAmount'],
  total: ['grandTotal', 'totalAmount', 'amountTotal', 'totalAmountIncludingTax'],
  unit: ['uom', 'unitOfMeasure', 'unitMeasure', 'baseUnit', 'defaultUom'],
  unitPrice: ['price'],
  vendor: ['supplier', 'creditor', 'buyFromVendor'],
  website: ['url', 'web', 'homepage'],
};

function synonymsOf(name: string): readonly string[] {
  return [...(SYNONYMS[name] ?? []), ...(GERMAN[name] ?? [])];
}

/** Names that a column may have for a text field, without case and separators. */
export function namesOfText(name: string): string[] {
  return [name, ...synonymsOf(name)].map(bare);
}

const ID_ENDINGS = ['', 'id', 'code', 'no', 'number', 'key', 'ref', 'nr', 'nummer'];

/** Synonyms of a name that mean something else in the table of a person. */
const NOT_OF_PERSONS = new Set([
  'title',
  'subject',
  'companyName',
  'Bezeichnung',
  'Benennung',
  'Firma',
  'Firmenname',
  'Kurztext',
]);

/**
 * Names that a column for the field may have, without case and separators: first the name in the document, then names that
 * systems use.
 */
export function namesOf({ name, kind }: Field, isPerson = false): string[] {
  const synonyms = synonymsOf(name).filter((each) => name !== 'name' || !isPerson || !NOT_OF_PERSONS.has(each));
  const names = [name, ...synonyms].map(bare);
  // A column `status` usually contains the status itself, which is the category.
  const endings = name === 'status' ? ID_ENDINGS.slice(1) : ID_ENDINGS;
  if (kind === 'relation') return names.flatMap((each) => endings.map((ending) => `${each}${ending}`));
  if (kind === 'boolean') return names.flatMap((each) => [each, each.replace(/^is/, '')]);
  if (kind === 'date' || kind === 'datetime') return names.flatMap(timeNames);
  return names;
}

/** Names that systems use for a relation to the entity. */
export function namesOfEntity(name: string): string[] {
  const relation = name.replace(/^[A-Z]+?(?=[A-Z]?[a-z]|$)/, (letters) => letters.toLowerCase());
  return [name, ...synonymsOf(relation)].map(bare);
}

/** `completedAt` may be the column `completed_on`, or `completion_date`. */
function timeNames(name: string): string[] {
  const stem = name.replace(/(?:at|date)$/, '');
  return [name, ...['at', 'on', 'date', 'time', 'datetime'].map((ending) => `${stem}${ending}`)];
}

/** Columns with the time at which a row was created. */
export const CREATED = [
  'createdAt',
  'createdOn',
  'createdDate',
  'createDate',
  'creationDate',
  'created',
  'dateEntered',
  'dateCreated',
  ...GERMAN_CREATED,
].map(bare);

/** Columns with the time at which a row was changed. */
export const UPDATED = [
  ...['updatedAt', 'updatedOn', 'modifiedAt', 'modifiedOn', 'modifiedDate', 'lastModified', 'lastModifiedDateTime'],
  ...['dateUpdated', 'dateModified', 'dateChanged'],
  ...['changedAt', 'changedOn', 'lastChangeDate', 'lastUpdated', 'writeDate', 'updated', 'modified'],
  ...GERMAN_UPDATED,
].map(bare);
