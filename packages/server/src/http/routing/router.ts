import { METHODS } from 'node:http';
import { nearest, type Operation } from '@unified/contract';
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** The operation of an address with its path parameters, or the methods that the address allows. */
export type Match =
  | { readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly operation?: undefined; readonly params?: undefined; readonly allowed: readonly string[] };

export interface Router {
  /** Finds the operation for a method and a path without query. HEAD requests use the operation for GET. */
  match(method: string, path: string): Match;
  /** Whether a path is the base of operations, such as `/v4` or `/v4/`. */
  isBase(path: string): boolean;
  /** Whether a path is a base or below one, so that it belongs to the API even if it is unknown. */
  belongsToApi(path: string): boolean;
  /** The address that was probably meant by an unknown path. */
  nearest(path: string): string | undefined;
}

const METHODS_OF_DOCUMENT: readonly HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** One radix tree for all operations and the bases under which they are served. Paths must match exactly. */
export function createRouter(operations: readonly Operation[]): Router {
  const tree = findMyWay({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 500 });
  for (const operation of operations) {
    const method = operation.method.toUpperCase() as HTTPMethod;
    for (const base of operation.bases) tree.on(method, base + treePath(operation), () => undefined, operation);
  }
  for (const { method, path } of missingMethods(operations)) tree.on(method, path, () => undefined, null);
  const bases = [...new Set(operations.flatMap((operation) => operation.bases))].filter((base) => base !== '');
  const find = (method: HTTPMethod, path: string) => {
    const found = tree.find(method, path);
    // The tree matches `/vendors/` as a vendor with an empty id.
    return found?.store && !Object.values(found.params).includes('') ? found : null;
  };
  return {
    match(method, path) {
      const known = METHODS.includes(method) ? find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path) : null;
      if (known) return { operation: known.store, params: known.params as Record<string, string> };
      const found = METHODS_OF_DOCUMENT.filter((each) => find(each, path) !== null);
      return { allowed: found.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])) };
    },
    isBase: (path) => bases.includes(path.replace(/\/$/, '')),
    belongsToApi: (path) => bases.some((base) => path === base || path.startsWith(`${base}/`)),
    nearest: createNearestAddress(operations.filter(({ version }) => !version)),
  };
}

/**
 * Methods that addresses without parameters do not have. They are routed so that GET `/comments/batch`, which allows only POST,
 * is not mistaken for the comment with the id `batch`.
 */
function missingMethods(operations: readonly Operation[]) {
  const plain = operations.filter(({ path }) => !path.includes('{'));
  const has = new Set(plain.flatMap(({ method, path, bases }) => bases.map((base) => `${method} ${base}${path}`)));
  const paths = new Set(plain.flatMap(({ path, bases }) => bases.map((base) => base + path)));
  return [...paths].flatMap((path) =>
    METHODS_OF_DOCUMENT.filter((method) => !has.has(`${method.toLowerCase()} ${path}`)).map((method) => ({
      method,
      path,
    })),
  );
}

/** `/vendors/{id}` in the syntax of the tree: `/vendors/:id`. */
function treePath({ path }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

const LONGEST = 200;

/**
 * Finds the address that was probably meant by a misspelled path, such as `/vendors` for `/vendor` or `/vendors/`: one that
 * differs slightly, in a single segment. Undefined if there is none. Parameters are kept.
 */
function createNearestAddress(operations: readonly Operation[]): (path: string) => string | undefined {
  const addresses = [...new Set(operations.flatMap(({ bases, path }) => bases.map((base) => base + path)))];
  const byLength = Map.groupBy(
    addresses.map((address) => address.split('/')),
    ({ length }) => length,
  );
  return (path) => {
    if (path.length > LONGEST) return undefined;
    const sent = path.replace(/\/$/, '').split('/');
    const candidates = byLength.get(sent.length) ?? [];
    const differences = candidates.map((address) => ({ address, at: differing(address, sent) }));
    if (path.endsWith('/') && differences.some(({ at }) => at.length === 0)) return sent.join('/');
    for (const [index, segment] of sent.entries()) {
      const fitting = differences.filter(({ at }) => at.length === 1 && at[0] === index);
      const meant = nearest(segment, [...new Set(fitting.map(({ address }) => address[index] ?? ''))]);
      if (meant !== undefined) return sent.with(index, meant).join('/');
    }
    return undefined;
  };
}

/** Indexes of the segments that differ from the document. */
function differing(address: readonly string[], sent: readonly string[]): number[] {
  return address.flatMap((segment, index) => (segment === sent[index] || segment.startsWith('{') ? [] : [index]));
}
