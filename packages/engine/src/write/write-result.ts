import { type Entity, recordAddress, ServiceError, withArticle } from '@unified/contract';
import { type Scope, targets, type WriteResult } from '@unified/store';
import { type OpenWrite, storedRecord } from './open-write.ts';

type ResultLink = WriteResult['links'][number];
type StoredRecord = Readonly<Record<string, unknown>>;

/**
 * The record that a write created or changed, in the form in which its write record shows it. Throws `ServiceError`
 * SERVICE_SYSTEM_INVALID if the connected system created the row, but not as a record of this entity.
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
      href: recordAddress(scope.publicUrl, entity.collection, String(record.id)),
      links: linksOf(entity, record),
      record: plainFields(entity, record),
    };
  }
  if (op !== 'create') return { id: targetId, _idValue: key, href: null, links: [], record: {} };
  const message = `The connected system created ${source} ${key}, but not as ${withArticle(name)}.`;
  throw new ServiceError('SERVICE_SYSTEM_INVALID', message);
}

async function recordByKey(
  scope: Scope,
  entity: Entity,
  source: string,
  key: string,
): Promise<StoredRecord | undefined> {
  const found = await targets(scope, entity, '_idValue', [key]);
  const target = found.find(({ _source }) => _source === source);
  return target && storedRecord(scope, entity.name, target.id);
}

function linksOf(entity: Entity, record: StoredRecord): ResultLink[] {
  const relations = entity.fields.filter(({ kind }) => kind === 'relation' || kind === 'relations');
  return relations.flatMap(({ name }) =>
    [record[name]]
      .flat()
      .filter(isLink)
      .map((link) => ({ field: name, ...shown(link) })),
  );
}

type Shown = Omit<ResultLink, 'field'>;

function isLink(value: unknown): value is Shown {
  return typeof value === 'object' && value !== null && 'id' in value && 'href' in value;
}

function shown({ id, _idValue, _displayValue, rel, href }: Shown): Shown {
  return { id, _idValue, _displayValue, rel, href };
}

/**
 * Fields with a single plain value, as text; empty ones are left out. Custom fields have names such as `customFields.color`.
 */
function plainFields(entity: Entity, record: StoredRecord): Record<string, string> {
  const own = entity.fields.map(({ name }): [string, unknown] => [name, record[name]]);
  const custom = Object.entries(record.customFields ?? {}).map(([name, value]) => [`customFields.${name}`, value]);
  const plain = [...own, ...custom].filter(
    ([, value]) => value !== null && value !== undefined && typeof value !== 'object',
  );
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
}
