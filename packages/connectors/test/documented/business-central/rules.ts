import type { Answer } from '../documented-server.ts';
import { add, type Company, type Entity, touch } from './company-data.ts';
import { ACTIONS, LISTS, propertyType, RESOURCES } from './description.ts';
import { fail } from './odata-failures.ts';

type Values = Record<string, unknown>;

/** A create, with the entities of its list. */
export function created(company: Company, set: string, given: Values): Answer {
  const list = LISTS[set];
  const { [list ?? '']: nested = [], ...values } = given;
  const lines = list ? (nested as Values[]) : [];
  const refused =
    refusalOf(company, set, values) ??
    lines.map((line) => refusalOf(company, list ?? '', line)).find((each) => each !== undefined) ??
    missing(set, values) ??
    duplicate(company, set, values);
  if (refused) return refused;
  const number = 'number' in (RESOURCES[set]?.properties ?? {}) ? { number: `N${company.get(set)?.size}` } : {};
  const status = 'status' in (RESOURCES[set]?.properties ?? {}) ? { status: 'Draft' } : {};
  const entity = add(company, set, { ...number, ...status, ...coded(set, values) });
  for (const [index, line] of lines.entries())
    addLine(company, list ?? '', entity, { sequence: (index + 1) * 10_000, ...line });
  if (typeof values.documentId === 'string') recount(company, set, values.documentId);
  return { status: 201, body: entity.values };
}

function addLine(company: Company, list: string, document: Entity, line: Values): void {
  add(company, list, { ...line, documentId: document.values.id });
  recount(company, list, String(document.values.id));
}

export function changed(company: Company, set: string, entity: Entity, given: Values): Answer {
  const refused = refusalOf(company, set, given);
  if (refused) return refused;
  Object.assign(entity.values, coded(set, given));
  touch(entity);
  if (typeof entity.values.documentId === 'string') recount(company, set, entity.values.documentId);
  return { status: 200, body: entity.values };
}

export function removed(company: Company, set: string, { values }: Entity): Answer {
  const isUsed = Object.values(LISTS).some((list) =>
    [...(company.get(list)?.values() ?? [])].some((line) => line.values.itemId === values.id),
  );
  if (set === 'items' && isUsed) {
    const message = `You cannot delete Item ${values.number} because there is at least one outstanding order that includes this item.`;
    return fail(400, 'Application_DialogException', message);
  }
  company.get(set)?.delete(String(values.id));
  const list = LISTS[set];
  for (const [id, line] of company.get(list ?? '') ?? []) {
    if (line.values.documentId === values.id) company.get(list ?? '')?.delete(id);
  }
  if (typeof values.documentId === 'string') recount(company, set, values.documentId);
  return { status: 204 };
}

/** A bound action. Posting gives an invoice its final number. */
export function act(company: Company, set: string, entity: Entity, action: string): Answer {
  const { type = '' } = RESOURCES[set] ?? {};
  if (!ACTIONS[type]?.includes(action)) return fail(404, 'BadRequest_NotFound', `There is no action ${action}.`);
  const { values } = entity;
  if (action === 'post' && values.status !== 'Draft') {
    return fail(400, 'Application_DialogException', 'The invoice has already been posted.');
  }
  if (action === 'post')
    Object.assign(values, {
      status: 'Open',
      number: `PS-INV${company.get(set)?.size}`,
      remainingAmount: values.totalAmountIncludingTax,
    });
  if (action === 'cancel') Object.assign(values, { status: 'Canceled', remainingAmount: 0 });
  touch(entity);
  return { status: 204 };
}

/** Names that do not exist, values that cannot be changed, texts that are too long, and keys of nothing. */
function refusalOf(company: Company, set: string, given: Values): Answer | undefined {
  const { type, properties = {} } = RESOURCES[set] ?? {};
  for (const [name, value] of Object.entries(given)) {
    const known = properties[name];
    if (known === undefined) {
      const message = `The property '${name}' does not exist on type 'Microsoft.NAV.${type}'.`;
      return fail(400, 'BadRequest', message);
    }
    const { type: valueType, isReadOnly } = propertyType(known);
    if (isReadOnly) return fail(400, 'BadRequest_InvalidOperation', `Control '${name}' is read-only`);
    if (name === 'number' && String(value).length > 20) {
      const message = `The length of the string is ${String(value).length}, but it must be less than or equal to 20 characters. Value: ${value}`;
      return fail(400, 'Application_StringExceededLength', message);
    }
    if (name === 'itemId' && value !== null && !company.get('items')?.has(String(value))) {
      return fail(400, 'Internal_RecordNotFound', 'The Item does not exist.');
    }
    if (valueType === 'decimal' && Number.isNaN(Number(value)))
      return fail(400, 'BadRequest', 'Cannot convert the value to a decimal.');
  }
  return undefined;
}

function missing(set: string, values: Values): Answer | undefined {
  const party = set.startsWith('purchase') ? 'vendor' : 'customer';
  if (!LISTS[set] || values[`${party}Id`] || values[`${party}Number`]) return undefined;
  return fail(400, 'Application_DialogException', `A ${party}Number or a ${party}ID must be provided.`);
}

function duplicate(company: Company, set: string, { number }: Values): Answer | undefined {
  const exists = [...(company.get(set)?.values() ?? [])].some(
    (each) => number !== undefined && each.values.number === number,
  );
  return exists
    ? fail(
        400,
        'Internal_EntityWithSameKeyExists',
        `The record already exists. Identification fields and values: No.='${number}'`,
      )
    : undefined;
}

/** Decimals, which a client may send as texts (IEEE754Compatible), are numbers, and codes are in upper case. */
function coded(set: string, given: Values): Values {
  const { properties = {} } = RESOURCES[set] ?? {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name === 'number' || name.endsWith('Code')) return [name, String(value).toUpperCase()];
      return [name, properties[name]?.startsWith('decimal') && value !== null ? Number(value) : value];
    }),
  );
}

/** The totals of a document after its lines changed. */
function recount(company: Company, list: string, id: string): void {
  const set = Object.keys(LISTS).find((each) => LISTS[each] === list) ?? '';
  const document = company.get(set)?.get(id);
  if (!document) return;
  let total = 0;
  for (const { values } of company.get(list)?.values() ?? []) {
    if (values.documentId !== id) continue;
    const price = Number(values.unitPrice ?? values.directUnitCost ?? 0);
    values.amountExcludingTax = Number((Number(values.quantity) * price).toFixed(2));
    total += Number(values.amountExcludingTax);
  }
  Object.assign(document.values, { totalAmountExcludingTax: total, totalAmountIncludingTax: total, totalTaxAmount: 0 });
  touch(document);
}
