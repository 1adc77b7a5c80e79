import type { IncomingHttpHeaders } from 'node:http';
import { isSecretName } from './secret-names.ts';

/** Whether a header of a request contains credentials. */
export function isCredential(header: string): boolean {
  return header === 'cookie' || isSecretName(header);
}

/** Headers with credentials as text; what is encoded in base64 is decoded. */
export function credentialText(headers: IncomingHttpHeaders): string {
  return Object.entries(headers)
    .filter(([name]) => isCredential(name))
    .map(([, value]) => `${value}\n${decoded(String(value))}`)
    .join('\n');
}

/** The secrets in the headers of a request or a response. */
export function secretsInHeaders(headers: IncomingHttpHeaders): string[] {
  const cookies = [headers.cookie?.split('; ') ?? [], headers['set-cookie'] ?? []].flat();
  const inCookies = cookies.map((cookie) =>
    cookie
      .split(';', 1)
      .join('')
      .replace(/^[^=]*=/, ''),
  );
  const others = Object.entries(headers).filter(([name]) => isSecretName(name));
  return [...inCookies, ...others.flatMap(([, value]) => secretsIn(String(value)))];
}

/** The secrets in the query of an address, and in a form. */
export function secretsInForm(form: string): string[] {
  return [...new URLSearchParams(form)].filter(([name]) => isSecretName(name)).map(([, value]) => value);
}

/** The secrets in the queries of the addresses in a text. */
export function secretsInAddresses(text: string): string[] {
  return [...text.matchAll(/\?([^\s"'<>\\]+)/g)].flatMap(([, query = '']) =>
    secretsInForm(query.replaceAll('&amp;', '&').split('#', 1)[0] ?? ''),
  );
}

/** The secrets in a JSON body; none in other bodies. */
export function secretsInJson(body: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(body, (name, value: unknown) => {
      if (typeof value === 'string' && isSecretName(name)) found.push(value);
      return value;
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}

/** Of `Bearer abc` the token, and of `user:password` the password. Words by which a token is requested are not secrets. */
function secretsIn(value: string): string[] {
  const token = decoded(value) || value.replace(/^[A-Za-z]+ +/, '');
  return /^(?:fetch|required)$/i.test(token) ? [] : [token.slice(token.lastIndexOf(':') + 1)];
}

/** The text that is encoded in base64 after the name of a scheme; empty if there is none. */
function decoded(value: string): string {
  const encoded = /^(?:Basic|Session) +([A-Za-z0-9+/=_-]+)$/i.exec(value)?.[1];
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
}
