import { type ErrorCode, type Operation, ServiceError } from '@unified/contract';
import { type Finding, keywordOf, tellingFindings } from './finding.ts';
import { isReadOnly } from './read-only-field.ts';

const MOST_DETAILS = 20;
const PLACES: Readonly<Record<string, string>> = { params: 'path', headers: 'header', query: 'query', body: 'body' };

/**
 * Turns what the request validator found into the `SERVICE_…` error that all findings have in common, with one detail
 * `{ path, message }` per finding, at most 20. Anything else is returned as it is.
 */
export function validationError(error: unknown, operation: Operation): unknown {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return error;
  const findings = tellingFindings(error.errors as Finding[]);
  const details = findings.slice(0, MOST_DETAILS).map((finding) => ({
    path: placeOf(finding),
    message: isReadOnly(finding, operation) ? readOnlyAdvice(finding) : adviceOf(finding),
  }));
  const message = details
    .map((detail) => `${detail.path}: ${detail.message}`)
    .slice(0, 3)
    .join(' ');
  return new ServiceError(codeOf(findings, operation), message, { details });
}

function codeOf(findings: readonly Finding[], operation: Operation): ErrorCode {
  const all = (fits: (finding: Finding) => boolean) => findings.every(fits);
  if (all(isMalformedId)) return 'SERVICE_INVALID_ID';
  if (all(({ path }) => path === '/headers/idempotency-key')) return 'SERVICE_INVALID_IDEMPOTENCY_KEY';
  if (!all(({ path }) => path.startsWith('/body'))) return 'SERVICE_INVALID_PARAMETER';
  if (operation.kind === 'createMany' && findings.some(isTooMany)) return 'SERVICE_BATCH_TOO_LARGE';
  return all((finding) => isReadOnly(finding, operation)) ? 'SERVICE_READ_ONLY_FIELD' : 'SERVICE_INVALID_BODY';
}

function isMalformedId(finding: Finding): boolean {
  return finding.path.startsWith('/params/') && keywordOf(finding) === 'format';
}

function isTooMany(finding: Finding): boolean {
  return finding.path === '/body/items' && keywordOf(finding) === 'maxItems';
}

function readOnlyAdvice({ path }: Finding): string {
  return `"${lastOf(path)}" can only be read. Leave it out.`;
}

function placeOf({ path }: Finding): string {
  const [, place = '', ...rest] = path.split('/');
  return [PLACES[place] ?? place, ...rest].join('/').slice(0, 200);
}

/** What to do, by the keyword of the schema that was not met; elsewhere in the validator's words. */
function adviceOf(finding: Finding): string {
  const { path, message, orNull = false } = finding;
  const name = lastOf(path);
  switch (keywordOf(finding)) {
    case 'required':
      return `"${name}" is missing. Add it.`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `"${name}" is unknown. Remove it, or see the reference of this operation.`;
    case 'type':
      return `Send a value of type ${message.replace(/^must be /, '').replaceAll(',', ' or ')}${orNull ? ' or null' : ''}.`;
    case 'format':
      return `Send a value of the form ${message.replace(/^must match format /, '').replaceAll('"', '')}${orNull ? ', or null' : ''}.`;
    case 'enum':
      return oneOf(message.replace(/^.*allowed values: /s, '').split(', '), orNull);
    case '':
      return `${message}. Remove it, or see the reference of this operation.`;
    default:
      return `The value ${message.replace('NOT', 'not')}.`;
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 80);
}

/** The validator writes null as nothing: "phone, mobile, ". */
function oneOf(values: readonly string[], orNull: boolean): string {
  const named = values.filter((value) => value !== '');
  return `Send one of ${named.join(', ')}${orNull || named.length < values.length ? ', or null' : ''}.`;
}
