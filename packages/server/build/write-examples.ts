import { entityOf, nameOf, type Operation, operations, resolve } from '@unified/contract';
import type { DocumentResponse, ReferenceDocument } from '../src/reference/reference-document.ts';

/**
 * What an operation does to a record, by its kind; `undefined` for operations that do not return a write record of their own.
 */
const OPS: Partial<Record<Operation['kind'], string>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
  action: 'action',
};

const RECORD = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';

/** Adds a specific example of a write record to each write operation; the document has only one for all of them. */
export function addWriteExamples(document: ReferenceDocument): void {
  for (const operation of operations) {
    const described = document.paths[operation.path]?.[operation.method];
    if (!described?.responses || OPS[operation.kind] === undefined) continue;
    for (const [status, response] of Object.entries(described.responses)) {
      if (isWriteRecord(response))
        described.responses[status] = withExample(
          resolve<DocumentResponse>(document, response),
          writeRecordOf(operation, status),
        );
    }
  }
}

function isWriteRecord({ $ref }: DocumentResponse): boolean {
  return $ref !== undefined && ['WriteQueued', 'WriteFound'].includes(nameOf($ref));
}

function withExample(response: DocumentResponse, example: object): DocumentResponse {
  const media = response.content?.['application/json'];
  return { ...response, content: { 'application/json': { ...media, example } } };
}

/** The write record for a call of the operation: queued (status 202) or succeeded. */
function writeRecordOf({ id, kind, entity = '' }: Operation, status: string): object {
  const isDone = status === '200';
  return {
    writeId: '0199d2a5-0d3f-7b7e-9c11-5b6a7c8d9e0f',
    operation: id,
    // A view has no records of its own.
    entity: entityOf(entity)?.view?.[0]?.entity ?? entity,
    op: OPS[kind],
    targetId: kind === 'create' ? null : RECORD,
    idempotencyKey: '6d1c6a52-2a3e-4f0a-9d57-0c7f4e0d9a11',
    attempts: isDone ? 1 : 0,
    status: isDone ? 'succeeded' : 'pending',
    result: isDone ? { id: RECORD, _idValue: '1042', links: [], record: {} } : null,
    steps: [],
    leftovers: [],
    warnings: [],
    resolvedRefs: [],
    customFields: {},
    synced: isDone,
    syncedAt: isDone ? '2026-11-20T08:00:02Z' : null,
    createdAt: '2026-11-20T08:00:00Z',
    nextAttemptAt: null,
    finishedAt: isDone ? '2026-11-20T08:00:02Z' : null,
    error: null,
  };
}
