import { invalidClient, invalidRequest } from './oauth-fault.ts';

/** The id and secret that a client sends. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/** Parameters of a body that authenticate a client. */
interface SentCredentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * The credentials of a request: from the `Authorization` header (HTTP Basic), or from the body. Throws `invalid_request` if
 * both contain a secret or if they name different clients, and `invalid_client` if there are none.
 */
export function clientCredentials(authorization: string | undefined, sent: SentCredentials): ClientCredentials {
  const { client_id: clientId = '', client_secret: secret = '' } = sent;
  if (!/^Basic\b/i.test(authorization ?? '')) {
    if (clientId === '' || secret === '') throw invalidClient();
    return { clientId, secret };
  }
  const basic = basicCredentials(authorization ?? '');
  if (secret !== '') throw invalidRequest('Send the client secret in the header or in the body, not in both.');
  if (clientId !== '' && clientId !== basic.clientId)
    throw invalidRequest('The header and the body name different clients. Send client_id once.');
  return basic;
}

/** Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function basicCredentials(authorization: string): ClientCredentials {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 1) throw invalidClient();
  const [clientId, secret] = [formDecoded(text.slice(0, colon)), formDecoded(text.slice(colon + 1))];
  if (!clientId || !secret || `${clientId}${secret}`.includes('\0')) throw invalidClient();
  return { clientId, secret };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
