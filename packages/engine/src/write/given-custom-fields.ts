import { type CompiledMapping, customFieldFault, type Row } from '@unified/connectors';
import { type Field, nearest, ServiceError } from '@unified/contract';
import { type Scope, type StoredCustomField, storedCustomFields } from '@unified/store';
import { isWritable, mappingOfLines } from '../model/capability.ts';
import type { ConnectionModel } from '../model/connection-model.ts';
import type { WriteBody } from './given-references.ts';

type Entities = Pick<Scope, 'entities'>;

/** A custom field in a body that cannot be written as it was sent. */
interface CustomFieldFault {
  /** The field exists, but can only be read. */
  readonly isReadOnly: boolean;
  /** Computed only for the faults that are reported, because searching for the nearest name takes time. */
  detail(): CustomFieldDetail;
}

interface CustomFieldDetail {
  readonly path: string;
  readonly field: string;
  readonly message: string;
  readonly didYouMean?: string;
}

/** Where a body, or a line in it, is within its request: the prefix of its paths and of its field names. */
interface BodyPlace {
  readonly path: string;
  readonly field: string;
}

/** The custom fields in a body or in one of its lines. */
interface GivenFields {
  readonly entity: string;
  /** The mapping that writes them; absent if they are not written. */
  readonly mapping: CompiledMapping | undefined;
  readonly values: Row;
  readonly place: BodyPlace;
}

const NOT_IN_A_LIST: BodyPlace = { path: '', field: '' };
const MOST_DETAILS = 20;
/** Maximum number of characters of a name in a message. */
const LONGEST_NAME = 80;

/**
 * Refuses custom fields, including those of lines, that the connection does not have, that cannot be written, or whose values
 * violate their type or limits. `list` is the list in the request that contains the bodies, such as `items`; if absent, the
 * request is the body. Throws SERVICE_READ_ONLY_FIELD if all faults are fields that can only be read, otherwise
 * SERVICE_INVALID_BODY.
 */
export async function checkCustomFields(
  scope: Scope,
  model: ConnectionModel,
  bodies: readonly WriteBody[],
  list?: string,
): Promise<void> {
  const all = bodies.flatMap((written, index) =>
    givenIn(scope, model, written, list === undefined ? NOT_IN_A_LIST : within(NOT_IN_A_LIST, list, index)),
  );
  if (all.length === 0) return;
  const stored = await storedCustomFields(scope, [...new Set(all.map(({ entity }) => entity))]);
  const faults = all.flatMap((given) => faultsOf(given, stored.get(given.entity) ?? []));
  if (faults.length > 0) throw refused(faults);
}

/** The custom fields of a body and of its lines, if there are any; none for actions and deletes. */
function givenIn(
  scope: Entities,
  model: ConnectionModel,
  { entity, op, body }: WriteBody,
  place: BodyPlace,
): GivenFields[] {
  if (op === 'action' || op === 'delete') return [];
  const own = { entity, mapping: model.mappings[entity], values: customOf(body), place };
  const lines = listsOfLines(scope, entity, body).flatMap(({ field, given }) => {
    const mapping = mappingOfLines(model, entity, field);
    return given.map((line, index) => ({
      entity: field.targets?.[0] ?? '',
      mapping,
      values: customOf(line),
      place: within(place, field.name, index),
    }));
  });
  return [own, ...lines].filter(({ values }) => Object.keys(values).length > 0);
}

/** The lists of a body whose elements are lines with custom fields of their own. */
function listsOfLines({ entities }: Entities, entity: string, body: Row): { field: Field; given: readonly Row[] }[] {
  const fields = entities[entity]?.fields.filter(({ name, holdsLines }) => holdsLines && Array.isArray(body[name]));
  return (fields ?? []).map((field) => ({ field, given: body[field.name] as readonly Row[] }));
}

/** The custom fields of a record, a body or a line. */
export function customOf({ customFields }: Row): Row {
  return (customFields as Row | undefined) ?? {};
}

function within({ path, field }: BodyPlace, list: string, index: number): BodyPlace {
  return { path: `${path}${list}/${index}/`, field: `${field}${list}[${index}].` };
}

function faultsOf(
  { entity, mapping, values, place }: GivenFields,
  fields: readonly StoredCustomField[],
): CustomFieldFault[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return Object.entries(values).flatMap(([name, value]): CustomFieldFault[] => {
    const shown = name.slice(0, LONGEST_NAME).toWellFormed();
    const at = { path: `body/${place.path}customFields/${shown}`, field: `${place.field}customFields.${shown}` };
    const field = byName.get(name);
    if (!field) {
      const known = () => fields.filter((each) => isWritable(each, mapping)).map((each) => each.name);
      return [{ isReadOnly: false, detail: () => ({ ...at, ...unknownName(entity, shown, known()) }) }];
    }
    if (!isWritable(field, mapping)) {
      const message = `\`customFields.${shown}\` can only be read. Leave it out.`;
      return [{ isReadOnly: true, detail: () => ({ ...at, message }) }];
    }
    const message = customFieldFault(field, value);
    const detail = () => ({ ...at, message: `\`customFields.${shown}\`: ${message}` });
    return message === null ? [] : [{ isReadOnly: false, detail }];
  });
}

function unknownName(entity: string, name: string, writable: readonly string[]) {
  const meant = nearest(name, writable);
  const message = `${entity} has no field \`customFields.${name}\` in this connection.`;
  const remedy =
    meant === undefined
      ? `Use one of those that \`GET /capabilities/${entity}\` lists as writable.`
      : `Did you mean "${meant}"?`;
  return { message: `${message} ${remedy}`, ...(meant !== undefined && { didYouMean: meant }) };
}

function refused(faults: readonly CustomFieldFault[]): ServiceError {
  const code = faults.every(({ isReadOnly }) => isReadOnly) ? 'SERVICE_READ_ONLY_FIELD' : 'SERVICE_INVALID_BODY';
  const details = faults.slice(0, MOST_DETAILS).map((fault) => fault.detail());
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new ServiceError(code, `${details[0]?.path}: ${details[0]?.message}${more}`, { details });
}

/**
 * The input without custom fields of lines that cannot be written any longer: the mapping may have changed since the write was
 * queued. `unsupported` names them.
 */
export function withWritableLineFields(
  scope: Entities,
  model: ConnectionModel,
  { op, entity }: WriteBody,
  input: Row,
): { readonly input: Row; readonly unsupported: readonly string[] } {
  const unsupported = new Set<string>();
  const lists = op === 'action' || op === 'delete' ? [] : listsOfLines(scope, entity, input);
  const changed = lists.map(({ field, given }) => {
    const custom = mappingOfLines(model, entity, field)?.customFields;
    const lines = given.map((line) => {
      if (line.customFields === undefined) return line;
      const [kept, dropped] = partition(Object.entries(customOf(line)), ([name]) => custom?.canWrite(name) === true);
      for (const [name] of dropped) unsupported.add(`${field.name}.customFields.${name}`);
      return { ...line, customFields: Object.fromEntries(kept) };
    });
    return [field.name, lines] as const;
  });
  return { input: { ...input, ...Object.fromEntries(changed) }, unsupported: [...unsupported] };
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

/** The input of a replacement, in which each custom field that it omits is null if the field can be written and cleared. */
export async function withClearedCustomFields(
  scope: Scope,
  mapping: CompiledMapping,
  { op, entity }: WriteBody,
  input: Row,
): Promise<Row> {
  if (op !== 'replace') return input;
  const names = await writableCustomFields(scope, entity, mapping, ({ isRequired }) => !isRequired);
  if (names.length === 0) return input;
  return { ...input, customFields: { ...Object.fromEntries(names.map((name) => [name, null])), ...customOf(input) } };
}

/** Names of the writable custom fields that `fits` selects. */
export async function writableCustomFields(
  scope: Scope,
  entity: string,
  mapping: CompiledMapping | undefined,
  fits: (field: StoredCustomField) => boolean = () => true,
): Promise<string[]> {
  if (!mapping || mapping.customFields.writable.length === 0) return [];
  const fields = (await storedCustomFields(scope, [entity])).get(entity) ?? [];
  return fields.filter((field) => isWritable(field, mapping) && fits(field)).map(({ name }) => name);
}
