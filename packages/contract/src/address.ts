import { dataPrefix } from '../generated/operations.ts';
import type { Request } from './handler.ts';
import type { Operation } from './operation.ts';
import { type OperationId, operations } from './operations.ts';

export { dataPrefix };

type PathParameters<K extends OperationId> = keyof Request<K>['path'] extends never ? [] : [Request<K>['path']];

const templates = new Map<string, string>(operations.map((operation) => [operation.id, templateOf(operation)]));

/** Address of an operation on the server, without its origin and with its parameters in braces: `/v4/vendors/{id}`. */
export function templateOf({ path, bases: [base = ''] }: Pick<Operation, 'path' | 'bases'>): string {
  return base + path;
}

/**
 * Address of an operation on the server, without its origin: `addressOf('getWrite', { writeId })`. Values are
 * percent-encoded.
 */
export function addressOf<K extends OperationId>(id: K, ...[parameters]: PathParameters<K>): string {
  return expandPath(templates.get(id) ?? '', parameters ?? {});
}

/** A path of the document with the values of its parameters, percent-encoded: `/vendors/{id}` becomes `/vendors/7`. */
export function expandPath(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

/** Address of a record, by the collection of its entity. Only for ids of the service, which need no encoding. */
export function recordAddress(publicUrl: string, collection: string, id: string): string {
  return `${publicUrl}${dataPrefix}/${collection}/${id}`;
}
