import { eachOperation, type Operation } from './operations.ts';
import { bodyName, responseName } from './place.ts';
import type { Context, Rule } from './redocly.ts';

/**
 * All operations of a collection use the same entity: `Vendor`, `VendorPage`, `VendorResponse`, `VendorInput`, `VendorPatch`.
 */
export const entity: Rule = () =>
  eachOperation((operation, context) => {
    if (!operation.entity || (operation.shape !== 'collection' && operation.shape !== 'item')) return;
    const { report, at, successes, method } = operation;
    const body = expectedBody(operation);
    if (body && bodyName(context, at) !== body) report(`the body must be \`${body}\`.`, 'requestBody');
    if (method === 'delete') return;
    const response = isList(operation) ? `${operation.entity.name}Page` : `${operation.entity.name}Response`;
    // 202 contains the write record, 206 a part of a file.
    for (const status of successes.filter((each) => each !== '202' && each !== '206'))
      if (responseName(context, at, status) !== response) report(`${status} must return \`${response}\`.`, 'responses');
    checkQueued(operation, context);
  });

function expectedBody({ method, shape, entity: record }: Operation): string | undefined {
  if (!record || (shape === 'collection' && method !== 'post')) return undefined;
  if (method === 'post' || method === 'put') return `${record.name}Input`;
  return method === 'patch' ? `${record.name}Patch` : undefined;
}

function isList({ method, shape }: Operation): boolean {
  return method === 'get' && shape === 'collection';
}

function checkQueued({ method, at, report }: Operation, context: Context): void {
  if (method === 'get' || responseName(context, at, '202') === 'WriteRecord') return;
  report('a write that is not finished in time must return 202 with `WriteRecord`.', 'responses');
}
