import { dataPrefix, type Operation } from '@unified/contract';

/** A method of a collection, such as `cancel` of `work-orders`. */
export interface CollectionCall {
  readonly collection: string;
  readonly name: string;
  readonly operation: Operation;
}

interface Shape {
  readonly method: Operation['method'];
  readonly path: RegExp;
  readonly name: string;
  /** Prefix of the `operationId`; an operation of this form with another name has no method. */
  readonly id: RegExp;
}

const COLLECTION = /^\/([a-z0-9-]+)$/;
const ITEM = /^\/([a-z0-9-]+)\/\{[^{}/]+\}$/;
const BATCH = /^\/([a-z0-9-]+)\/batch$/;
const ACTION = /^\/([a-z0-9-]+)\/\{[^{}/]+\}\/actions\/([a-z0-9-]+)$/;

const SHAPES: readonly Shape[] = [
  { method: 'get', path: COLLECTION, name: 'list', id: /^list[A-Z]/ },
  { method: 'post', path: COLLECTION, name: 'create', id: /^create[A-Z]/ },
  { method: 'post', path: BATCH, name: 'createMany', id: /^create[A-Z]/ },
  { method: 'get', path: ITEM, name: 'get', id: /^get[A-Z]/ },
  { method: 'patch', path: ITEM, name: 'update', id: /^update[A-Z]/ },
  { method: 'put', path: ITEM, name: 'replace', id: /^replace[A-Z]/ },
  { method: 'delete', path: ITEM, name: 'delete', id: /^delete[A-Z]/ },
];

/**
 * The calls derived from the addresses and names of the operations, in the order of the document.
 */
export function collectionCalls(operations: readonly Operation[]): CollectionCall[] {
  return operations.flatMap((operation) => {
    if (!operation.bases.includes(dataPrefix)) return [];
    const [, collection, verb] = ACTION.exec(operation.path) ?? [];
    if (collection && verb && operation.method === 'post') return [{ collection, name: camelCase(verb), operation }];
    const usual = SHAPES.find(
      ({ method, path, id }) => method === operation.method && path.test(operation.path) && id.test(operation.id),
    );
    const at = usual?.path.exec(operation.path)?.[1];
    return usual && at ? [{ collection: at, name: usual.name, operation }] : [];
  });
}

export function camelCase(path: string): string {
  return path.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
