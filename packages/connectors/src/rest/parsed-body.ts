import { parseReceived } from '../http/received-json.ts';

type Parsed = { readonly json: unknown } | { readonly failure: unknown };

const parsed = new WeakMap<Buffer, Parsed>();

/**
 * The JSON of a body, which is parsed once, however many parts of the driver read it. Do not change it.
 *
 * @throws {SyntaxError} as `parseReceived`
 */
export function parsedBody(body: Buffer): unknown {
  const known = parsed.get(body) ?? parse(body);
  parsed.set(body, known);
  if ('failure' in known) throw known.failure;
  return known.json;
}

function parse(body: Buffer): Parsed {
  try {
    return { json: parseReceived(body.toString('utf8')) };
  } catch (failure) {
    return { failure };
  }
}
