import { type ErrorCode, entities, entityOf, type Operation, ServiceError } from '@unified/contract';
import { isUuid } from '@unified/store';
import { TIMESTAMP_ADVICE } from '../../query/timestamp.ts';
import { quoted, type Suggestion, suggestion, suggestionOf } from '../../request-error.ts';
import { type Finding, isReadOnly, keywordOf, tellingFindings } from './finding.ts';
import type { DescribedPlaces } from './served-contract.ts';

/** The invalid request, and how the document describes it. */
export interface Refused {
  readonly operation: Operation;
  readonly places: DescribedPlaces;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface Advice extends Partial<Pick<Suggestion, 'detail'>> {
  readonly message: string;
}

/** Pattern of web addresses in the document. */
const WEB_ADDRESS = '[Hh][Tt][Tt][Pp][Ss]?://';
const WEB_ADDRESS_ADVICE = 'Send an address that begins with http:// or https://, with a host and without a user name.';
/** Start of the pattern of dates and timestamps in the document. */
const TIMESTAMP = '"^[0-9]{4}-(0[1-9]|1[0-2])-';
const EXAMPLE_ID = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
const MOST_DETAILS = 20;
const PLACES: Readonly<Record<string, string>> = { params: 'path', headers: 'header', query: 'query', body: 'body' };
const IDENTIFY = 'Send the `id`, `_idValue`, `code` or `_displayValue` of one that exists.';
const REMOVE = 'Remove it, or see the reference of this operation.';

/**
 * Turns the findings of the request validator into one `SERVICE_…` error, with one detail `{ path, message,
 * didYouMean? }` per finding, at most 20. Any other error is returned unchanged.
 */
export function validationError(error: unknown, refused: Refused): unknown {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return error;
  const { operation } = refused;
  const findings = tellingFindings(error.errors as Finding[]);
  const details = findings.slice(0, MOST_DETAILS).map((finding) => {
    const { message, detail } = adviceOf(finding, refused);
    return { path: placeOf(finding), message, ...detail };
  });
  const message = details
    .map((detail) => `${detail.path}: ${detail.message}`)
    .slice(0, 3)
    .join(' ');
  return new ServiceError(codeOf(findings, operation), message, { details });
}

function codeOf(findings: readonly Finding[], operation: Operation): ErrorCode {
  const all = (fits: (finding: Finding) => boolean) => findings.every(fits);
  if (all(isMalformedId)) return 'SERVICE_INVALID_ID';
  if (all(isUnlistedName)) return 'SERVICE_NOT_FOUND';
  if (all(({ path }) => path === '/headers/idempotency-key')) return 'SERVICE_INVALID_IDEMPOTENCY_KEY';
  if (!all(({ path }) => path.startsWith('/body'))) return 'SERVICE_INVALID_PARAMETER';
  if (operation.kind === 'createMany' && findings.some(isTooMany)) return 'SERVICE_BATCH_TOO_LARGE';
  return all((finding) => isReadOnly(finding, operation)) ? 'SERVICE_READ_ONLY_FIELD' : 'SERVICE_INVALID_BODY';
}

function isMalformedId(finding: Finding): boolean {
  return finding.path.startsWith('/params/') && keywordOf(finding) === 'format';
}

/** Some addresses end with one of several listed names. With any other name, the address does not exist. */
function isUnlistedName(finding: Finding): boolean {
  return finding.path.startsWith('/params/') && keywordOf(finding) === 'enum';
}

function isTooMany(finding: Finding): boolean {
  return finding.path === '/body/items' && keywordOf(finding) === 'maxItems';
}

function placeOf({ path }: Finding): string {
  const [, place = '', ...rest] = path.split('/');
  return [PLACES[place] ?? place, ...rest].join('/').slice(0, 200);
}

/** What to do, by the keyword that was violated; for other keywords, the message of the validator is used. */
function adviceOf(finding: Finding, refused: Refused): Advice {
  const { path, message, orNull = false } = finding;
  const name = quoted(lastOf(path));
  switch (keywordOf(finding)) {
    case 'required':
      return { message: `${name} is missing. Add it.` };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      if (isReadOnly(finding, refused.operation)) return { message: `${name} can only be read. Leave it out.` };
      return unknownProperty(path, refused);
    case 'type':
      return typeAdvice(finding, refused);
    case 'format':
      if (message.endsWith('"uri"')) return { message: WEB_ADDRESS_ADVICE };
      if (message.endsWith('"uuid"'))
        return { message: `Send a UUID such as ${EXAMPLE_ID}${orNull ? ', or null' : ''}.${byCode(finding, refused)}` };
      return { message: `Send ${formatted(message)}${orNull ? ', or null' : ''}.` };
    case 'enum':
      return enumAdvice(message.replace(/^.*allowed values: /s, '').split(', '), finding, refused);
    case 'pattern':
      return { message: patternAdvice(message) };
    case '':
      if (isEmptyParameter(finding, refused)) return { message: `${name} is empty. Leave it out, or give it a value.` };
      return unknown(`${name} is unknown.`, parameterMeant(finding, refused));
    case 'minItems':
    case 'maxItems':
      return { message: `The list ${bound(message)}.` };
    default:
      return { message: `The value ${bound(message)}.` };
  }
}

/** A bound as the validator states it, such as "must NOT have fewer than 1 characters", in plain words. */
function bound(message: string): string {
  return message
    .replace('NOT have fewer than', 'have at least')
    .replace('NOT', 'not')
    .replace(/\b1 (character|item)s/, '1 $1')
    .replace(/\b1 properties/, '1 property');
}

/** Another value in the address of a record is probably its code. */
function byCode({ path }: Finding, { operation, path: params }: Refused): string {
  const entity = entityOf(operation.entity ?? '');
  const [name = '', ...more] = Object.keys(params);
  if (path !== `/params/${name}` || more.length > 0 || !entity?.field.code) return '';
  return ` To find a record by its code, filter the list: GET /${entity.collection}?filter[code]=….`;
}

function patternAdvice(message: string): string {
  if (message.includes(WEB_ADDRESS)) return WEB_ADDRESS_ADVICE;
  return message.includes(TIMESTAMP) ? TIMESTAMP_ADVICE : `The value ${message}.`;
}

function unknown(message: string, { advice, detail }: Suggestion, remedy = REMOVE): Advice {
  return { message: `${message}${advice || ` ${remedy}`}`, detail };
}

/** A property that does not exist. In a reference, it was probably meant to identify the record. */
function unknownProperty(path: string, { places }: Refused): Advice {
  const isInReference = places.takesReference(path.slice(0, path.lastIndexOf('/')));
  const found = suggestion(lastOf(path), places.namesBeside(path));
  return unknown(`${quoted(lastOf(path))} is unknown.`, found, isInReference ? IDENTIFY : REMOVE);
}

/** The validator reports a parameter without a value as if it were unknown. */
function isEmptyParameter({ path }: Finding, refused: Refused): boolean {
  return sentAt(path, refused) === '' && refused.places.namesBeside(path).includes(lastOf(path));
}

/** Names of parameters in many other APIs, with ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{
    limit: 'per_page',
    page_size: 'per_page',
    pageSize: 'per_page',
    offset: 'page',
    order_by: 'sort',
    include: 'expand',
  },
};

/** A parameter of the operation or, for a list, a field to filter by. */
function parameterMeant({ path }: Finding, { operation, places }: Refused): Suggestion {
  const name = lastOf(path);
  const fields = operation.kind === 'list' ? (entityOf(operation.entity ?? '')?.fields ?? []) : [];
  const known = [...places.namesBeside(path), ...fields.map((field) => field.name)];
  const usual = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  return usual !== undefined && known.includes(usual) ? suggestionOf(usual) : suggestion(name, known);
}

/** A text or number may be sent instead of a reference. */
function typeAdvice({ path, message, orNull = false }: Finding, refused: Refused): Advice {
  const types = message.replace(/^must be /, '').split(',');
  const sent = sentAt(path, refused);
  if ((typeof sent !== 'string' && typeof sent !== 'number') || !refused.places.takesReference(path)) {
    return { message: `Send a value of type ${types.join(' or ')}${orNull ? ' or null' : ''}.` };
  }
  return {
    message: `Send a reference such as ${referenceTo(String(sent))}${orNull || types.includes('null') ? ', or null' : ''}.`,
  };
}

/** The reference that was probably meant by a text: an id or the label of a record. */
function referenceTo(sent: string): string {
  const id = sent === '' ? EXAMPLE_ID : sent;
  if (isUuid(id)) return `{"id": "${id}"}`;
  return `{"_displayValue": ${JSON.stringify(sent.slice(0, 80).toWellFormed())}}`;
}

/** Maximum number of values that a message lists; the names of all entities would hide the suggestion. */
const MOST_LISTED = 40;

/** The validator prints null as an empty string: "phone, mobile, ". */
function enumAdvice(values: readonly string[], { path, orNull = false }: Finding, refused: Refused): Advice {
  const named = values.filter((value) => value !== '');
  const all = named.length > MOST_LISTED ? `the ${named.length} values in the reference` : named.join(', ');
  const list = `Send one of ${all}${orNull || named.length < values.length ? ', or null' : ''}.`;
  const sent = sentAt(path, refused);
  if (typeof sent !== 'string') return { message: list };
  const { advice, detail } = meantAmong(sent, named);
  return { message: `${quoted(sent)} is not one of the values. ${list}${advice}`, detail };
}

/** The nearest value. An entity may be called like its collection: `InventoryItem` is `Item`, of `/inventory-items`. */
function meantAmong(sent: string, values: readonly string[]): Suggestion {
  const found = suggestion(sent, values);
  if (found.advice !== '') return found;
  const plural = `${sent.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;
  const entity = Object.values(entities).find(({ collection }) => [plural, `${plural}s`].includes(collection));
  return suggestionOf(entity && values.includes(entity.name) ? entity.name : undefined);
}

function sentAt(place: string, { path, query, body }: Refused): unknown {
  const [, part = '', ...names] = place.split('/');
  const parts: Readonly<Record<string, unknown>> = { params: path, query, body };
  return names.reduce<unknown>((value, name) => {
    // Values of a list in the query are separated by commas.
    const list = part === 'query' && typeof value === 'string' ? value.split(',') : value;
    return typeof list === 'object' && list !== null ? Reflect.get(list, name) : undefined;
  }, parts[part]);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 80);
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address, such as name@example.com',
  date: 'a date, such as 2026-11-20',
  'date-time': 'a time with its zone, such as 2026-11-20T09:30:00Z',
};

/** What a value must be, from the message of its format. */
function formatted(message: string): string {
  const name = message.replace(/^must match format /, '').replaceAll('"', '');
  return FORMATS[name] ?? `a value of the format ${name}`;
}
