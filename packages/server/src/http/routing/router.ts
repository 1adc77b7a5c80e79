import { nearest, type Operation } from '@unified/contract';
import findMyWay from 'find-my-way';

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

const METHODS_OF_DOCUMENT = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * One radix tree per base under which operations are served. Paths must match exactly. The trees of the first bases are built now,
 * those of other bases, such as earlier versions, when a request needs them.
 */
export function createRouter(operations: readonly Operation[]): Router {
  const bases = [...new Set(operations.flatMap((operation) => operation.bases))].sort((a, b) => b.length - a.length);
  const trees = new Map<string, Tree>();
  const treeOf = (base: string) => {
    const tree = trees.get(base) ?? treeBelow(base, operations);
    trees.set(base, tree);
    return tree;
  };
  const current = operations.filter(({ version }) => !version);
  for (const { bases } of current) treeOf(bases[0] ?? '');
  const find = (path: string) => {
    const base = bases.find((each) => path.startsWith(`${each}/`));
    const found = base === undefined ? null : treeOf(base).find(ANY, path.slice(base.length));
    // The tree matches `/vendors/` as a vendor with an empty id.
    return found && !Object.values(found.params).includes('') ? found : null;
  };
  const prefixes = bases.filter((base) => base !== '');
  return {
    match(method, path) {
      const found = find(path);
      const byMethod: OperationsByMethod = found?.store ?? new Map();
      const operation = byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (operation) return { operation, params: found?.params as Record<string, string> };
      const known = METHODS_OF_DOCUMENT.filter((each) => byMethod.has(each));
      return { allowed: known.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])) };
    },
    isBase: (path) => prefixes.includes(path.replace(/\/$/, '')),
    belongsToApi: (path) => prefixes.some((base) => path === base || path.startsWith(`${base}/`)),
    nearest: createNearestAddress(current),
  };
}

type Tree = ReturnType<typeof findMyWay>;

/** The operations of an address by their methods. */
type OperationsByMethod = ReadonlyMap<string, Operation>;

/**
 * Trees are per method, but the path alone determines the address: GET `/comments/batch` is not the comment with the id `batch`.
 */
const ANY = 'GET';

/** The operations of a base by their paths below it. */
function treeBelow(base: string, operations: readonly Operation[]): Tree {
  const tree = findMyWay({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 500 });
  const served = operations.filter(({ bases }) => bases.includes(base));
  for (const [path, own] of Map.groupBy(served, treePath)) {
    const byMethod: OperationsByMethod = new Map(own.map((each) => [each.method.toUpperCase(), each]));
    tree.on(ANY, path, () => undefined, byMethod);
  }
  return tree;
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
