import type { Answer } from '../documented-server.ts';
import { add, type Books, type Entry, LISTS, now, remove } from './books.ts';

type Values = Record<string, unknown>;

/** An error as the API returns it. */
export function fault(status: number, code: string, Message: string, Detail: string): Answer {
  const type = status === 401 ? 'AUTHENTICATION' : 'ValidationFault';
  return { status, body: { Fault: { Error: [{ Message, Detail, code, element: '' }], type }, time: now() } };
}

/** Properties that creates must have; transactions need lines as well. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Vendor: ['DisplayName'],
  Customer: ['DisplayName'],
  Item: ['Name', 'Type'],
  Invoice: ['CustomerRef', 'Line'],
  Bill: ['VendorRef', 'Line'],
  PurchaseOrder: ['VendorRef', 'APAccountRef', 'Line'],
};

/** Types that the tests write, by the last name in their address. */
export const WRITTEN = new Map(Object.keys(REQUIRED).map((type) => [type.toLowerCase(), type]));

/** Creates or changes an object, or carries out the operation of the request. */
export function write(books: Books, type: string, given: Values, operation: string | null): Answer {
  const id = given.Id === undefined ? undefined : String(given.Id);
  if (id === undefined) return refusalOf(books, type, given) ?? done(type, create(books, type, given));
  const entry = books.get(type)?.get(id);
  if (!entry) {
    const detail = 'Object Not Found : Something you’re trying to use has been made inactive.';
    return fault(400, '610', 'Object Not Found', detail);
  }
  if (given.SyncToken !== entry.SyncToken) {
    const detail = `Stale Object Error : You and another user were working on this at the same time. Another user finished before you did, so your work was not saved.`;
    return fault(400, '5010', 'Stale Object Error', detail);
  }
  if (operation === 'delete') return removed(books, type, entry);
  if (operation === 'void') return voided(type, entry);
  return refusalOf(books, type, { ...entry, ...given }, entry) ?? done(type, change(entry, given));
}

function done(type: string, entry: Values): Answer {
  return { status: 200, body: { [type]: entry, time: now() } };
}

function removed(books: Books, type: string, { Id }: Entry): Answer {
  if (LISTS.includes(type)) return fault(400, '500', 'Unsupported Operation', 'Operation delete is not supported.');
  remove(books, type, Id);
  return done(type, { domain: 'QBO', status: 'Deleted', Id });
}

function voided(type: string, entry: Entry): Answer {
  if (type !== 'Invoice') return fault(400, '500', 'Unsupported Operation', 'Operation void is not supported.');
  const lines = linesOf(entry).map((line) => ({ ...line, Amount: 0 }));
  return done(type, changed(entry, { TotalAmt: 0, Balance: 0, PrivateNote: 'Voided', Line: lines }));
}

/** The first reason to refuse an object. */
function refusalOf(books: Books, type: string, given: Values, before?: Entry): Answer | undefined {
  const missing = REQUIRED[type]?.find((name) => given[name] === undefined || given[name] === '');
  if (missing) {
    const detail = `Required parameter ${missing} is missing`;
    return fault(400, '2020', 'Required param missing, need to supply the required value for the API', detail);
  }
  const others = [...(books.get(type)?.values() ?? [])].filter((each) => each !== before);
  const name = type === 'Item' ? 'Name' : 'DisplayName';
  if (LISTS.includes(type) && others.some((each) => each[name] === given[name])) {
    const detail =
      'The name supplied already exists. : Another customer, vendor or employee is already using this name.';
    return fault(400, '6240', 'Duplicate Name Exists Error', detail);
  }
  if (type === 'Invoice' && given.DocNumber && others.some((each) => each.DocNumber === given.DocNumber)) {
    const detail = `Duplicate Document Number Error : You must specify a different number. This number has already been used.`;
    return fault(400, '6140', 'Duplicate Document Number Error', detail);
  }
  return linesOf(given).map(lineFault).find(Boolean);
}

function lineFault({ Amount, DetailType, ...line }: Values): Answer | undefined {
  if (DetailType === 'SubTotalLineDetail') return undefined;
  const detail = line[String(DetailType)] as { Qty?: number; UnitPrice?: number } | undefined;
  if (!detail || typeof Amount !== 'number') {
    const words = 'Required parameter Line.DetailType or Line.Amount is missing';
    return fault(400, '2020', 'Required param missing, need to supply the required value for the API', words);
  }
  const { Qty = 1, UnitPrice } = detail;
  if (UnitPrice === undefined || Math.abs(Qty * UnitPrice - Amount) < 0.005) return undefined;
  return fault(400, '6070', 'Amount calculation incorrect in the request', 'Amount is not equal to UnitPrice * Qty.');
}

function create(books: Books, type: string, given: Values): Entry {
  const isTransaction = !LISTS.includes(type);
  const number = isTransaction && given.DocNumber === undefined ? { DocNumber: `A-${books.get(type)?.size}` } : {};
  const date = isTransaction && given.TxnDate === undefined ? { TxnDate: '2026-11-26' } : {};
  const status = type === 'PurchaseOrder' ? { POStatus: 'Open' } : {};
  const entry = add(books, type, { ...number, ...date, ...status, CurrencyRef: { value: 'USD' }, ...given });
  return given.Line === undefined ? entry : Object.assign(entry, withTotals(entry, type));
}

/** A sparse update changes only the properties that it contains; another one replaces the object. */
function change(entry: Entry, { sparse, Id: _, SyncToken: __, ...given }: Values): Entry {
  if (sparse !== true) for (const name of Object.keys(entry)) if (!KEPT.includes(name)) delete entry[name];
  const type = 'CustomerRef' in entry ? 'Invoice' : 'other';
  changed(entry, given);
  return given.Line === undefined ? entry : Object.assign(entry, withTotals(entry, type));
}

const KEPT = ['Id', 'SyncToken', 'MetaData', 'domain'];

function changed(entry: Entry, values: Values): Entry {
  const MetaData = { ...entry.MetaData, LastUpdatedTime: now() };
  return Object.assign(entry, values, { SyncToken: String(Number(entry.SyncToken) + 1), MetaData });
}

/** Lines get ids, invoices a line with their total, and transactions their amounts. */
function withTotals(entry: Values, type: string): Values {
  const own = linesOf(entry).filter(({ DetailType }) => DetailType !== 'SubTotalLineDetail');
  const highest = Math.max(0, ...own.map(({ Id }) => Number(Id ?? 0)));
  let added = 0;
  const Line = own.map((line, index) => ({
    ...line,
    ...(line.Id === undefined && { Id: String(highest + ++added) }),
    LineNum: index + 1,
  }));
  const TotalAmt = Line.reduce((sum, line) => sum + Number((line as Values).Amount), 0);
  const total = { Amount: TotalAmt, DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} };
  return { Line: type === 'Invoice' ? [...Line, total] : Line, TotalAmt, Balance: TotalAmt };
}

function linesOf({ Line }: Values): Values[] {
  return Array.isArray(Line) ? Line : [];
}
