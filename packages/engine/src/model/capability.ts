import type { CompiledMapping, DeleteDetection } from '@unified/connectors';
import {
  addressedWrites,
  type Entity,
  entities,
  type Field,
  ServiceError,
  spokenName,
  withArticle,
} from '@unified/contract';
import type { StoredCustomField } from '@unified/store';
import { brokenMapping } from './broken-platform.ts';
import { type ConnectionModel, streamOf } from './connection-model.ts';

/** Operations on the records of an entity. */
export type CapableOf = 'list' | 'get' | 'create' | 'update' | 'replace' | 'delete';

/** What a connected system supports for one entity. */
export interface Capability {
  readonly entity: string;
  readonly collection: string;
  readonly operations: CapableOf[];
  readonly actions: string[];
  readonly readFields: string[];
  readonly writeFields: string[];
  readonly requiredFields: string[];
  readonly allowedValues: { readonly field: string; readonly values: (string | number | boolean)[] }[];
  /** Null if the system does not have the entity. */
  readonly deleteDetection: DeleteDetection | null;
  readonly customFields: CustomFieldCapability[];
}

/** A custom field of an entity, and what can be done with it. */
export interface CustomFieldCapability extends Omit<StoredCustomField, 'limits'> {
  readonly label: string | null;
  readonly isFilterable: boolean;
  /** Null if the system has no such limit. */
  readonly maxLength: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly decimals: number | null;
}

/** The fields of documents that contain lines, by the entity of the lines. */
const holders = Map.groupBy(
  Object.values(entities).flatMap(({ name, fields }) =>
    fields.filter(({ holdsLines }) => holdsLines).map((field) => ({ document: name, field })),
  ),
  ({ field }) => field.targets?.[0] ?? '',
);

/** The mapping of the lines in a field of a document; undefined if the system does not support writing them. */
export function mappingOfLines(
  { mappings }: Pick<ConnectionModel, 'mappings'>,
  document: string,
  { name, targets = [] }: Field,
): CompiledMapping | undefined {
  const { writable = [], writes } = mappings[document] ?? {};
  const isSent =
    writable.includes(name) && (['create', 'update', 'replace'] as const).some((each) => writes?.has(each));
  return isSent ? mappings[targets[0] ?? ''] : undefined;
}

function isSentAsLine(model: ConnectionModel, entity: string): boolean {
  return holders.get(entity)?.some(({ document, field }) => mappingOfLines(model, document, field)) ?? false;
}

/**
 * What systems with this model support for an entity with these custom fields; nothing if they do not have the entity.
 */
export function capabilityOf(
  model: ConnectionModel,
  entity: Entity,
  stored: readonly StoredCustomField[] = [],
): Capability {
  const mapping = model.mappings[entity.name];
  const writes = addressedWrites(entity.name).filter((each) => mapping?.writes.has(each));
  const sent = writes.length > 0 ? writeFields(model, entity) : [];
  return {
    entity: entity.name,
    collection: `/${entity.collection}`,
    // Records that were read before a mapping broke are still served.
    operations: mapping || brokenMapping(model, entity.name) ? ['list', 'get', ...writes] : [],
    actions: entity.actions.map(({ name }) => name).filter((name) => mapping?.actions[name]),
    readFields: [...(mapping?.fields ?? [])],
    writeFields: sent,
    requiredFields: writes.length > 0 ? [...entity.requiredOnCreate] : [],
    allowedValues: sent.flatMap((field) => valuesOf(mapping, field) ?? []),
    deleteDetection: streamOf(model, entity.name)?.deletes ?? null,
    customFields: stored.map((field) =>
      customField(field, mapping, writes.length > 0 || isSentAsLine(model, entity.name)),
    ),
  };
}

/** The values of a field that the connected system accepts; undefined if it accepts any. */
function valuesOf(
  mapping: CompiledMapping | undefined,
  field: string,
): Capability['allowedValues'][number] | undefined {
  const values = mapping?.allowedValues[field];
  return values && { field, values: values.filter((value) => value !== null) };
}

function customField(
  { limits, ...field }: StoredCustomField,
  mapping: CompiledMapping | undefined,
  isWritten: boolean,
): CustomFieldCapability {
  const { maxLength = null, minimum = null, maximum = null, decimals = null } = limits;
  return {
    ...field,
    label: mapping?.customFields.named.find(({ name }) => name === field.name)?.label ?? null,
    isFilterable: true,
    isWritable: isWritten && isWritable(field, mapping),
    ...{ maxLength, minimum, maximum, decimals },
  };
}

/** Whether the connected system and the current mapping allow writing a custom field. */
export function isWritable(
  { name, isWritable: canChange }: Pick<StoredCustomField, 'name' | 'isWritable'>,
  mapping: CompiledMapping | undefined,
): boolean {
  return canChange && mapping?.customFields.canWrite(name) === true;
}

/** Throws SERVICE_NOT_SUPPORTED when the connected system stores only the addresses of files. */
export function checkTakesFiles(model: ConnectionModel, entity: string): void {
  if (takesFiles(model, entity)) return;
  const message = `${model.platform.name} does not store files of ${withArticle(spokenName(entity))}. Send an address in \`url\` instead.`;
  throw new ServiceError('SERVICE_NOT_SUPPORTED', message);
}

/** A record and its file are matched by checksum, so the system must be able to store one. */
function takesFiles({ mappings }: ConnectionModel, entity: string): boolean {
  const mapping = mappings[entity];
  return mapping?.writes.has('create') === true && mapping.writable.includes('sha256');
}

/** Fields that a client can send; the service itself sends the checksum and length of a file. */
function writeFields(model: ConnectionModel, { name, field, holdsFile = false }: Entity): string[] {
  const sent = model.mappings[name]?.writable.filter((each) => field[each]?.writable) ?? [];
  return holdsFile && takesFiles(model, name) ? [...sent, 'contentBase64'] : sent;
}
