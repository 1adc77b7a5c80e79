import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { filled, type Keys, namesIn, urlOf } from './call-url.ts';
import { decimalProduct } from './decimal-product.ts';
import { filledContent } from './filled-content.ts';
import { isObject } from './json-body.ts';
import type { RestCall } from './rest-client.ts';
import type { ChangeCall, WriteOptions } from './write-options.ts';

/** What a change request is built from. */
export interface ChangeParts {
  readonly base: string;
  readonly call: ChangeCall;
  /** Default of `method`. */
  readonly method: NonNullable<ChangeCall['method']>;
  readonly keys: Keys;
  readonly values: Row;
}

/**
 * The call that sends values. Values that are part of its address or headers, and those in `unsent`, are not in the body. If no
 * other values remain, there is no body.
 *
 * @throws {SystemError} `rejected` if a value that the address needs is missing, or if a header cannot contain its value
 */
export function changeRequest(
  { base, call, method, keys, values }: ChangeParts,
  { unsent = [], integers = [] }: WriteOptions,
): RestCall {
  const { address, headers = {}, body: type = 'json', cleared = 'null', empty = {} } = call;
  const known = { ...values, ...keys };
  const elsewhere = new Set([...unsent, ...[address, ...Object.values(headers)].flatMap(namesIn)]);
  const entries = Object.entries(values).filter(([name]) => !elsewhere.has(name));
  const none = { text: '', null: null, false: false }[cleared];
  const given = Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      value === null ? (empty[name] ?? none) : withIntegers(value, integers.includes(name), integers),
    ]),
  );
  const sent: Row = { ...given, ...texts(call.add, known) };
  const hasBody = call.content !== undefined || Object.keys(sent).length > 0;
  return {
    method: call.method ?? method,
    url: urlOf(base, address, known),
    headers: {
      ...headersOf(headers, known),
      ...(hasBody && type === 'form' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(hasBody && { body: type === 'form' ? formOf(sent, call.envelope) : jsonOf(bodyOf(sent, call, keys), call) }),
  };
}

/** Values in which a text can contain names in braces, which stand for others. */
export function texts(values: Row = {}, known: Keys): Row {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? filled(value, known, String) : value,
    ]),
  );
}

/** A value with whole numbers instead of texts of digits, where the names of its properties demand them. */
function withIntegers(value: unknown, isInteger: boolean, names: readonly string[]): unknown {
  if (isInteger) return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((each) => withIntegers(each, false, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withIntegers(each, names.includes(name), names)]),
  );
}

/** Headers that need a value that the request does not contain are not sent. */
function headersOf(headers: Readonly<Record<string, string>>, known: Keys): Record<string, string> {
  const isKnown = (name: string) => known[name] !== undefined && known[name] !== null;
  const given = Object.entries(headers).filter(([, text]) => namesIn(text).every(isKnown));
  return Object.fromEntries(
    given.map(([name, text]) => {
      const value = filled(text, known, String);
      if (/^[\x20-\x7e]*$/.test(value)) return [name.toLowerCase(), value];
      throw new SystemError('rejected', `A value has characters that the header ${name} cannot contain`);
    }),
  );
}

function bodyOf(values: Row, { content, envelope, list, products = {} }: ChangeCall, keys: Keys): unknown {
  if (content) return filledContent(content, { ...keys, values: multiplied(values, products) });
  if (list !== undefined) return elementsOf(values, list).map((element) => multiplied(element, products));
  const sent = multiplied(values, products);
  return envelope === undefined ? sent : { [envelope]: sent };
}

function jsonOf(body: unknown, { numbers = 'number' }: ChangeCall): string {
  const asText = (_name: string, value: unknown) => (typeof value === 'number' ? String(value) : value);
  return JSON.stringify(body, numbers === 'text' ? asText : undefined);
}

/** The objects of a list, each with the other values. */
function elementsOf(values: Row, list: string): readonly Row[] {
  const { [list]: elements, ...others } = values;
  return Array.isArray(elements) ? elements.filter(isObject).map((element) => ({ ...others, ...element })) : [];
}

/** Values with the products of other values that are numbers. A product without any factor is not calculated. */
function multiplied(values: Row, products: NonNullable<ChangeCall['products']>): Row {
  const calculated = Object.entries(products).flatMap(([name, factors]) => {
    const known = factors.map((factor) => values[factor]).filter((value) => typeof value === 'number');
    return known.length > 0 ? [[name, decimalProduct(known)] as const] : [];
  });
  return { ...Object.fromEntries(calculated), ...values };
}

/** `issue[name]=value`; lists are repeated, null is empty. */
function formOf(values: Row, envelope: string | undefined): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const key = envelope === undefined ? name : `${envelope}[${name}]`;
    if (Array.isArray(value)) for (const each of value) form.append(`${key}[]`, textOf(each));
    else form.append(key, textOf(value));
  }
  return form.toString();
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
