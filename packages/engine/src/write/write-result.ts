import { type Entity, ServiceError } from '@unified/contract';
import { type Scope, targets, type WriteResult } from '@unified/store';
import type { OpenWrite } from './open-write.ts';
import { storedRecord } from './stored-record.ts';

type Link = WriteResult['links'][number];
type Answer = Readonly<Record<string, unknown>>;

/**
 * The record that a write produced or changed, as its write record tells it. Throws `ServiceError`
 * SERVICE_SYSTEM_INVALID when the connected system made the row, but not as a record of this entity.
 */
export async function resultOf(
  scope: Scope,
  { entity: name, op, targetId }: Pick<OpenWrite, 'entity' | 'op' | 'targetId'>,
  source: string,
  key: string,
): Promise<WriteResult> {
  const entity = scope.entities[name];
  const record = entity && (await recordByKey(scope, entity, source, key));
  if (entity && record) {
    return {
      id: String(record.id),
      _idValue: key,
      links: linksOf(entity, record),
      record: plainFields(entity, record),
    };
  }
  if (op !== 'create') return { id: targetId, _idValue: key, links: [], record: {} };
  const message = `The connected system made ${source} ${key}, but not as a ${name}.`;
  throw new ServiceError('SERVICE_SYSTEM_INVALID', message);
}

async function recordByKey(scope: Scope, entity: Entity, source: string, key: string): Promise<Answer | undefined> {
  const found = await targets(scope, entity, '_idValue', [key]);
  const target = found.find(({ _source }) => _source === source);
  return target && storedRecord(scope, entity.name, target.id);
}

function linksOf(entity: Entity, record: Answer): Link[] {
  const relations = entity.fields.filter(({ kind }) => kind === 'relation' || kind === 'relations');
  return relations.flatMap(({ name }) =>
    [record[name]]
      .flat()
      .filter(isLink)
      .map((link) => ({ field: name, ...shown(link) })),
  );
}

type Shown = Omit<Link, 'field'>;

function isLink(value: unknown): value is Shown {
  return typeof value === 'object' && value !== null && 'id' in value && 'href' in value;
}

function shown({ id, _idValue, _displayValue, rel, href }: Shown): Shown {
  return { id, _idValue, _displayValue, rel, href };
}

/** Fields with one plain value each, as text; what is empty is left out. */
function plainFields(entity: Entity, record: Answer): Record<string, string> {
  return Object.fromEntries(
    entity.fields.flatMap(({ name }) => {
      const value = record[name];
      return value === null || value === undefined || typeof value === 'object' ? [] : [[name, String(value)]];
    }),
  );
}
