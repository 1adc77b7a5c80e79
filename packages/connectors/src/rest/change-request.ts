import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { filled, type Keys, namesIn, urlOf } from './call-url.ts';
import type { RestCall } from './rest-client.ts';
import type { ChangeCall, WriteOptions } from './write-options.ts';

/** What a change is made of. */
export interface ChangeParts {
  readonly base: string;
  readonly call: ChangeCall;
  /** Default of `method`. */
  readonly method: NonNullable<ChangeCall['method']>;
  readonly keys: Keys;
  readonly values: Row;
}

/**
 * The call that sends values. Those that its address or its headers contain, and those in `unsent`, are not in the body; without
 * others there is no body.
 *
 * @throws {SystemError} `rejected` if a value that the address needs is missing, or if a header cannot contain its value
 */
export function changeRequest(
  { base, call, method, keys, values }: ChangeParts,
  { unsent = [] }: WriteOptions,
): RestCall {
  const { address, headers = {}, envelope, body: type = 'json', cleared = 'null', empty = {} } = call;
  const known = { ...values, ...keys };
  const elsewhere = new Set([...unsent, ...[address, ...Object.values(headers)].flatMap(namesIn)]);
  const entries = Object.entries(values).filter(([name]) => !elsewhere.has(name));
  const none = cleared === 'text' ? '' : null;
  const sent = Object.fromEntries(
    entries.map(([name, value]) => [name, value === null ? (empty[name] ?? none) : value]),
  );
  const hasBody = Object.keys(sent).length > 0;
  return {
    method: call.method ?? method,
    url: urlOf(base, address, known),
    headers: {
      ...headersOf(headers, known),
      ...(hasBody && type === 'form' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(hasBody && { body: type === 'form' ? formOf(sent, envelope) : JSON.stringify(enveloped(sent, envelope)) }),
  };
}

/** A header that needs a value which the request does not have is not sent. */
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

function enveloped(values: Row, envelope: string | undefined): Row {
  return envelope === undefined ? values : { [envelope]: values };
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
