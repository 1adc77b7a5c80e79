import { beginningOf } from '../cut-text.ts';
import { parseReceived } from '../http/received-json.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError } from '../system-error.ts';
import type { Sent } from './refusal.ts';

/** The JSON value of a response with a success status; null without a body. @throws {SystemError} if it is a page, or not JSON */
export function contentOf(response: HttpResponse, sent: Sent): unknown {
  const { body } = response;
  if (body.length === 0) return null;
  // The service may have carried out a change whose response was replaced, so it must not be repeated unseen.
  if (isPage(response)) throw sent.changes ? pageAfterChange() : pageInsteadOfData(response, sent);
  try {
    return parseReceived(body.toString('utf8'));
  } catch {
    const words = 'The response from the service is not JSON. Check the setting "url"';
    throw new SystemError('invalid', words, { cause: beginningOf(body) });
  }
}

/** Whether a response is a page for a browser. */
export function isPage({ headers, body }: HttpResponse): boolean {
  const beginning = body.subarray(0, 100).toString('latin1').trimStart().toLowerCase();
  return String(headers['content-type']).includes('html') || /^<(!doctype )?html/.test(beginning);
}

/** A page with a form is one to sign in. Proxies return others, for example during maintenance. */
export function pageInsteadOfData({ body }: HttpResponse, { credentials }: Sent): SystemError {
  if (/<form\b|type\s*=\s*["']?password/i.test(body.toString('latin1'))) {
    const words = `The service returned a page to sign in instead of data. Check ${credentials}, and the setting "url"`;
    return new SystemError('unauthorized', words);
  }
  return new SystemError('unavailable', 'The service returned a page instead of data');
}

function pageAfterChange(): SystemError {
  return new SystemError('unknown', 'A page was returned instead of the response from the service to a change');
}
