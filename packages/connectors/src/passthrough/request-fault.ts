import type { PassthroughRequest } from './passthrough.ts';

/** What is wrong with a part of a request, and what to do. */
export interface RequestFault {
  /** The part: `path`, or `headers/accept`. */
  readonly part: string;
  readonly message: string;
}

/** Printable ASCII without a backslash; `?` and `#` would begin another part of the address. */
const PATH = /^\/[!-~]*$/;
const NOT_IN_PATH = /[\\?#]/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Characters that end a header, or that HTTP does not allow in one. */
const CONTROLS = /[^\t\x20-\x7e\u0080-\u00ff]/;
const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Why a request must not be sent; null if it may be. A path that could leave the address of the system is refused. */
export function passthroughFault({
  method,
  path,
  query = {},
  headers = {},
  body,
}: PassthroughRequest): RequestFault | null {
  const wrong = pathFault(path);
  if (wrong !== null) return { part: 'path', message: wrong };
  for (const [name, value] of Object.entries(headers)) {
    const part = `headers/${name.slice(0, 80)}`;
    if (!TOKEN.test(name)) return { part, message: 'This is not the name of a header.' };
    if (CONTROLS.test(value))
      return { part, message: 'The value has characters that headers cannot contain. Remove them.' };
  }
  if (body !== undefined && !WITH_BODY.includes(method))
    return { part: 'body', message: `A ${method} has no body. Remove it.` };
  // Frameworks would use that method instead of the one that was checked.
  const overrides = Object.keys(query).some((name) => name.toLowerCase() === '_method') || hasMethod(body);
  return overrides ? { part: 'query', message: '`_method` would change the method. Send that method.' } : null;
}

/** Whether a body has a field `_method`: in JSON, a form or parts of one, even if it is percent-encoded. */
function hasMethod(body: unknown): boolean {
  if (typeof body === 'string') return METHOD_FIELD.test(body) || METHOD_FIELD.test(decodedOnce(body) ?? '');
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(body).some(([name, value]) => name.toLowerCase() === '_method' || hasMethod(value));
}

const METHOD_FIELD = /(?:^|[&?;])\s*_method\s*=|name="?_method"?|"_method"\s*:/i;

function pathFault(path: string): string | null {
  if (!PATH.test(path)) return 'Begin with one slash, and percent-encode all characters other than printable ASCII.';
  if (NOT_IN_PATH.test(path)) return 'A backslash, "?" or "#" cannot be in a path. Send parameters in `query`.';
  if (path.includes('//')) return 'A path has no empty segments. Remove the second slash.';
  for (let text = path, rounds = 0; ; rounds += 1) {
    if (text.split(/[/\\]/).some((segment) => segment === '.' || segment === '..'))
      return 'The segments "." and ".." are not sent, even percent-encoded.';
    if (/[\\\p{Cc}]/u.test(text)) return 'A backslash and control characters are not sent, even percent-encoded.';
    const decoded = decodedOnce(text);
    if (decoded === null || rounds > 5) return 'The percent encoding is invalid.';
    if (decoded === text) return null;
    text = decoded;
  }
}

/** Null if the encoding is invalid. Text after the first round may contain a literal "%". */
function decodedOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
