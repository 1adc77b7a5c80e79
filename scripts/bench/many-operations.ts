import type { Operation, ValidatorShard } from '@unified/contract';
import { clientDocument, operations, validatorShards } from '@unified/contract';

/** A document and the data derived from it, as servers load them. */
export interface ManyOperations {
  readonly document: Readonly<Record<string, unknown>>;
  readonly operations: readonly Operation[];
  readonly shards: Readonly<Record<string, ValidatorShard>>;
}

type Item = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The contract, extended to at least `count` operations by copies of its entities under other addresses. Bodies, parameters
 * and schema references are copied unchanged.
 */
export function manyOperations(count: number): ManyOperations {
  const document = clientDocument();
  const grown = { paths: { ...document.paths }, operations: [...operations], shards: { ...validatorShards() } };
  for (let copy = 1; grown.operations.length < count; copy += 1) addCopy(grown, copy);
  return { document: { ...document, paths: grown.paths }, operations: grown.operations, shards: grown.shards };
}

function addCopy(
  grown: { paths: Record<string, Item>; operations: Operation[]; shards: Record<string, ValidatorShard> },
  copy: number,
): void {
  const moved = (path: string) => path.replace(/^\/([^/]+)/, `/$1-${copy}`);
  for (const operation of operations.filter(({ kind }) => kind !== 'other')) {
    grown.operations.push({
      ...operation,
      id: `${operation.id}${copy}`,
      path: moved(operation.path),
      shard: `${operation.shard}-${copy}`,
    });
  }
  for (const [path, item] of Object.entries(clientDocument().paths)) grown.paths[moved(path)] = renamed(item, copy);
  for (const [name, shard] of Object.entries(validatorShards())) {
    const paths = Object.entries(shard.paths).map(([path, item]) => [moved(path), renamed(item, copy)]);
    grown.shards[`${name}-${copy}`] = { ...shard, paths: Object.fromEntries(paths) };
  }
}

/** A path item whose operations have unique names. */
function renamed(item: Item, copy: number): Record<string, object> {
  const entries = Object.entries(item).map(([key, node]) => {
    if (!METHODS.includes(key)) return [key, node];
    const { operationId, ...rest } = node as { operationId: string };
    return [key, { operationId: `${operationId}${copy}`, ...rest }];
  });
  return Object.fromEntries(entries);
}
