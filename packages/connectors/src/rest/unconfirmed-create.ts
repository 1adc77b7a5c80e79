import { asSentence } from '../as-sentence.ts';
import { beginningOf } from '../cut-text.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { asReason, isPermanent, SystemError } from '../system-error.ts';
import type { Writer } from './change-row.ts';
import { contentOf } from './failure.ts';
import type { CreatedRows } from './find-created.ts';
import { instead, isPage } from './json-body.ts';

/** Number of characters of a response that the operator sees. */
const SHOWN = 300;

/** Whether a response has no content. */
export function isEmpty({ body }: HttpResponse): boolean {
  return body.toString('utf8').trim() === '';
}

/**
 * The error for a create whose complete response has neither the key of a new row nor a failure that the platform declares, and
 * whose row is not found with certainty. With content, most such responses are refusals; an empty one can mean that the system
 * carries the create out later. As neither is certain, the create is not sent again. Several rows with its values can be those of
 * other users.
 */
export function unconfirmed({ client }: Writer, response: HttpResponse, rows: CreatedRows): SystemError {
  const { name } = client;
  const reason = client.reasonIn(response);
  const content = reason === undefined ? instead(contentOf(response.body)) : `: ${asReason(reason)}`;
  const clientWords = `${asSentence(`${received(name, response)}${content}`)} ${foundIn(rows)}. ${remedyIn(name)}`;
  return new SystemError('unconfirmed', `${clientWords}. ${shown(response)}`, { clientWords, ...causeIn(response) });
}

function remedyIn(name: string): string {
  return `Check in ${name} whether the record exists before you repeat the write`;
}

function foundIn({ same: [row], similar: [similar] }: CreatedRows): string {
  if (row) return `It has several new records with these values, such as ${row.key}`;
  return similar
    ? `It has the new record ${similar.key} with some of the values that were sent, but not with all`
    : 'It lists no new record with the values that were sent';
}

/**
 * The error for such a response if the list cannot be read: the row may be found later, unless every search fails. `cause` states
 * why.
 */
export function unsearched({ client: { name } }: Writer, response: HttpResponse, cause: SystemError): SystemError {
  const begun = `${received(name, response)}. The list in which to search for the record cannot be read`;
  const isFinal = isPermanent(cause);
  const withReason = (words: string) =>
    isFinal ? `${asSentence(`${begun}: ${asReason(words)}`)} ${remedyIn(name)}` : `${begun}: ${words}`;
  const { retryAfter } = cause;
  const clientWords = withReason(cause.clientWords);
  return new SystemError(isFinal ? 'unconfirmed' : 'unsearched', withReason(cause.words), {
    ...{ clientWords, retryAfter, cause },
  });
}

function received(name: string, response: HttpResponse): string {
  const instead = isPage(response) ? ', but with an HTML page' : '';
  return `${name} responded to the create with HTTP status ${response.status}, without the key of a new record${instead}`;
}

/** The text of a page is only logged: it may be an internal one. */
function causeIn(response: HttpResponse): { readonly cause?: string } {
  return isPage(response) ? { cause: beginningOf(response.body, SHOWN) } : {};
}

function shown(response: HttpResponse): string {
  if (isEmpty(response)) return 'The response is empty';
  if (isPage(response)) return 'Check that no login page or proxy is in front of the system';
  const beginning = beginningOf(response.body, SHOWN);
  const remedy = 'If this is how it refuses a create, declare "failedBy" in the options of the platform';
  return `The response begins with: ${beginning}. ${remedy}`;
}
