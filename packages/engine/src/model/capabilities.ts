import type { Platform } from '@unified/connectors';
import { type Entity, entityOf, operations, ServiceError } from '@unified/contract';
import { brokenMapping } from './broken-platform.ts';

/** What can be done to the records of an entity. */
export type CapableOf = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete';

/** What a connected system can do with one kind of record. */
export interface Capability {
  readonly entity: string;
  readonly collection: string;
  readonly operations: CapableOf[];
  readonly actions: string[];
  readonly readFields: string[];
  readonly writeFields: string[];
  readonly requiredFields: string[];
}

const WRITES = ['create', 'update', 'replace', 'delete'] as const;

/** The writes that can be asked for, such as `Site replace`. What is written at the address of a view is one of its members. */
const addressed: ReadonlySet<string> = new Set(
  operations.flatMap(({ entity = '', kind }) => {
    const stored = entityOf(entity)?.view?.map((member) => member.entity) ?? [entity];
    return stored.map((name) => `${name} ${kind === 'createMany' ? 'create' : kind}`);
  }),
);

/** What the systems of a platform can do with an entity; a system that does not have it can do nothing. */
export function capabilityOf(platform: Platform, entity: Entity): Capability {
  const mapping = platform.mappings[entity.name];
  const writes = WRITES.filter((each) => mapping?.writes.has(each) && addressed.has(`${entity.name} ${each}`));
  return {
    entity: entity.name,
    collection: `/${entity.collection}`,
    // What was copied before a mapping broke is still served.
    operations: mapping || brokenMapping(platform, entity.name) ? ['list', 'get', ...writes] : [],
    actions: entity.actions.map(({ name }) => name).filter((name) => mapping?.actions[name]),
    readFields: [...(mapping?.fields ?? [])],
    writeFields: writes.length > 0 ? writeFields(platform, entity) : [],
    requiredFields: writes.length > 0 ? [...entity.requiredOnCreate] : [],
  };
}

/** Throws SERVICE_NOT_SUPPORTED when systems of the platform keep no files, only where they are. */
export function checkTakesFiles(platform: Platform, entity: string): void {
  if (takesFiles(platform, entity)) return;
  const message = `${platform.name} keeps no files of a ${entity}. Send an address by \`url\` instead.`;
  throw new ServiceError('SERVICE_NOT_SUPPORTED', message);
}

/** A record and its file find each other by the checksum, so a system that cannot note it cannot be given one. */
function takesFiles({ mappings }: Platform, entity: string): boolean {
  const mapping = mappings[entity];
  return mapping?.writes.has('create') === true && mapping.writable.includes('sha256');
}

/** What a client can send; the service itself sends checksum and length of a file. */
function writeFields(platform: Platform, { name, field, holdsFile = false }: Entity): string[] {
  const sent = platform.mappings[name]?.writable.filter((each) => field[each]?.writable) ?? [];
  return holdsFile && takesFiles(platform, name) ? [...sent, 'contentBase64'] : sent;
}
