import { ServiceError } from '@unified/contract';
import { type Finding, keywordOf, tellingFindings } from './finding.ts';

const MOST_DETAILS = 20;
const PLACES: Readonly<Record<string, string>> = { params: 'path', headers: 'header', query: 'query', body: 'body' };

/**
 * Turns what the request validator found into `SERVICE_INVALID_PARAMETER` or `SERVICE_INVALID_BODY`, with one detail
 * `{ path, message }` per finding, at most 20. Anything else is returned as it is.
 */
export function validationError(error: unknown): unknown {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return error;
  const findings = tellingFindings(error.errors as Finding[]);
  const details = findings.slice(0, MOST_DETAILS).map((finding) => ({
    path: placeOf(finding),
    message: adviceOf(finding),
  }));
  const inBody = findings.every(({ path }) => path.startsWith('/body'));
  const message = details
    .map((detail) => `${detail.path}: ${detail.message}`)
    .slice(0, 3)
    .join(' ');
  return new ServiceError(inBody ? 'SERVICE_INVALID_BODY' : 'SERVICE_INVALID_PARAMETER', message, { details });
}

function placeOf({ path }: Finding): string {
  const [, place = '', ...rest] = path.split('/');
  return [PLACES[place] ?? place, ...rest].join('/').slice(0, 200);
}

/** What to do, by the keyword of the schema that was not met; elsewhere in the validator's words. */
function adviceOf(finding: Finding): string {
  const { path, message, orNull = false } = finding;
  const name = path.slice(path.lastIndexOf('/') + 1).slice(0, 80);
  switch (keywordOf(finding)) {
    case 'required':
      return `"${name}" is missing. Add it.`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `"${name}" is unknown or read-only. Remove it, or see the reference of this operation.`;
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

/** The validator writes null as nothing: "phone, mobile, ". */
function oneOf(values: readonly string[], orNull: boolean): string {
  const named = values.filter((value) => value !== '');
  return `Send one of ${named.join(', ')}${orNull || named.length < values.length ? ', or null' : ''}.`;
}
