import { isDeepStrictEqual } from 'node:util';
import {
  type Column,
  type DefinitionProblem,
  type Driver,
  MAPPING_PARTS,
  type MappingChange,
  missingColumns,
  revisedDefinition,
  type Stream,
} from '@unified/connectors';
import { firstField } from '@unified/contract';
import type { Scope } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { brokenMapping } from '../model/broken-platform.ts';
import { type ConnectionModel, platformOfModel, streamOf } from '../model/connection-model.ts';
import {
  invalidMapping,
  type MappedConnection,
  type MappingParts,
  unlessAvailable,
  withSystem,
} from './mapped-connection.ts';

/** A mapping as a client sends it. */
export interface SentMapping {
  readonly stream?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly parts?: Readonly<Record<string, unknown>> | undefined;
}

/** The differences between a sent mapping and the one of the platform. */
export function changeOf({ own }: Pick<MappedConnection, 'own'>, entity: string, sent: SentMapping): MappingChange {
  const { definition } = own.mappings[entity] ?? {};
  const isSame = sent.stream === undefined || sent.stream === definition?.stream;
  const ownParts = Object.fromEntries(MAPPING_PARTS.map((part) => [part, definition?.[part]]));
  return {
    ...(!isSame && { stream: sent.stream }),
    fields: isSame ? differing(sent.fields, definition?.fields ?? {}) : withoutNull(sent.fields),
    parts: isSame ? differing(sent.parts ?? {}, ownParts) : withoutNull(sent.parts ?? {}),
  };
}

/** Null for something that the platform does not have changes nothing. */
function differing(sent: Readonly<Record<string, unknown>>, own: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => !isDeepStrictEqual(value ?? undefined, own[name])),
  );
}

function withoutNull(sent: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

/** A mapping that a connection could use. */
interface Candidate {
  /** The definition that is compiled. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Fields whose mapping differs from that of the platform. */
  readonly changedFields: readonly string[];
  /** Those of them that the platform reads but the candidate does not. */
  readonly dropped: readonly string[];
  /** The model of the connection with the candidate, which may be among its broken mappings. */
  readonly model: ConnectionModel;
}

/** The mapping that results from a change, in the model of the connection. */
export function candidateOf({ own, changes, changed }: MappedConnection, entity: string, change: unknown): Candidate {
  const given = change as MappingChange;
  const ownDefinition = own.mappings[entity]?.definition;
  const active = changes.active.filter((each) => each.entity !== entity);
  const isOwn = given.stream === undefined && Object.keys({ ...given.fields, ...given.parts }).length === 0;
  return {
    definition: revisedDefinition(entity, ownDefinition, given),
    changedFields: Object.keys(given.fields),
    dropped: Object.keys(given.fields).filter((name) => given.fields[name] === null),
    model: changed({
      ...changes,
      active: isOwn ? active : [...active, { entity, revision: 1, change, version: 0, before: null }],
    }),
  };
}

/**
 * The model of a connection with another mapping for an entity. Throws SERVICE_INVALID_BODY with all problems, including columns
 * that the connected system does not have. If it cannot be reached, the columns are compared at the next synchronization.
 */
export async function candidateModel(
  parts: MappingParts,
  mapped: MappedConnection,
  entity: string,
  change: MappingChange,
): Promise<ConnectionModel> {
  const { model } = candidateOf(mapped, entity, change);
  const broken = brokenMapping(model, entity)?.problems ?? [];
  const usable = broken.length === 0 ? change : withoutBroken(change, broken);
  const compared = usable === change ? model : candidateOf(mapped, entity, usable).model;
  const problems = [...broken, ...(await columnProblems(parts, mapped.scope, compared, entity, usable))];
  if (problems.length > 0) throw invalidMapping(problems);
  return model;
}

/** The change without the fields and parts that cannot be used, so that the others can be compared with the system. */
function withoutBroken(change: MappingChange, problems: readonly DefinitionProblem[]): MappingChange {
  const broken = new Set(
    problems.map(({ field }) => {
      const [first = '', second = ''] = field.split('.');
      return first === 'fields' ? second : first;
    }),
  );
  const emptied = (sent: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, broken.has(name) ? null : value]));
  return { ...change, fields: emptied(change.fields), ...(change.parts && { parts: emptied(change.parts) }) };
}

/** Columns that the changed fields read and the connected system does not have. */
async function columnProblems(
  parts: MappingParts,
  scope: Scope,
  model: ConnectionModel,
  entity: string,
  change: MappingChange,
): Promise<DefinitionProblem[]> {
  const mapping = model.mappings[entity];
  const stream = streamOf(model, entity);
  if (!mapping || !stream) return [];
  const columns = await withSystem(parts, scope, (session) => columnsWith(parts, session, stream)).catch(
    unlessAvailable,
  );
  if (columns === null) return [];
  const isChanged = (field: string) =>
    Object.hasOwn(change.fields, firstField(field)) || !/^[a-z]/.test(field) || field === 'where';
  return missingColumns(mapping, columns)
    .filter(({ field }) => isChanged(field))
    .map(({ field, message }) => ({ file: '', field: partOf(field, change), message: withKnown(message, columns) }));
}

/** The columns of a stream, which the connection may not have yet; null if the system cannot report them. */
async function columnsWith(
  { systems }: MappingParts,
  { driver, quota, model, settings, host }: DriverSession,
  stream: Stream,
): Promise<readonly Column[] | null> {
  const columnsBy = ({ discover }: Driver) =>
    discover ? quota.run('read', async () => (await discover.columns(stream)) ?? null) : null;
  if (model.platform.streams.some(({ name }) => name === stream.name)) return columnsBy(driver);
  const own = systems.openDriver({ ...platformOfModel(model), streams: [stream], mappings: {} }, settings, host);
  try {
    return await columnsBy(own);
  } finally {
    await own.close();
  }
}

function partOf(field: string, { fields }: MappingChange): string {
  return Object.hasOwn(fields, firstField(field)) ? `fields.${field}` : field;
}

function withKnown(message: string, columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name);
  const shown = names.slice(0, 100).join(', ');
  return `${message.replace(/\.$/, '')} It has ${shown}${names.length > 100 ? ', …' : ''}`;
}
