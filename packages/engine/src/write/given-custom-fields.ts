import { type CompiledMapping, customFieldFault, type Row } from '@unified/connectors';
import { nearest, ServiceError } from '@unified/contract';
import { type Scope, type StoredCustomField, storedCustomFields } from '@unified/store';
import { isWritable } from '../model/capability.ts';
import type { ConnectionModel } from '../model/connection-model.ts';
import type { WriteBody } from './given-references.ts';

/** A custom field of a body that cannot be written as it was sent. */
interface CustomFieldFault {
  readonly path: string;
  readonly field: string;
  readonly message: string;
  readonly didYouMean?: string;
  /** The field exists, but can only be read. */
  readonly isReadOnly: boolean;
}

/** Place of a body in its request, as the beginning of a path and of the name of a field. */
interface BodyPlace {
  readonly path: string;
  readonly field: string;
}

const NOT_IN_A_LIST: BodyPlace = { path: '', field: '' };
const MOST_DETAILS = 20;
/** Characters of a name that a message shows. */
const LONGEST_NAME = 80;

/**
 * Refuses custom fields that the connection does not have, that cannot be written, or whose values do not fit their type and
 * limits. `list` is the list of the request that contains the bodies, such as `items`; absent: the request is the body. Throws
 * SERVICE_READ_ONLY_FIELD if every fault is a field that can only be read, otherwise SERVICE_INVALID_BODY.
 */
export async function checkCustomFields(
  scope: Scope,
  model: ConnectionModel,
  bodies: readonly WriteBody[],
  list?: string,
): Promise<void> {
  const named = bodies.filter((written) => givenNames(written).length > 0).map(({ entity }) => entity);
  if (named.length === 0) return;
  const stored = await storedCustomFields(scope, [...new Set(named)]);
  const faults = bodies.flatMap((written, index) => {
    const fields = stored.get(written.entity) ?? [];
    const place = list === undefined ? NOT_IN_A_LIST : { path: `${list}/${index}/`, field: `${list}[${index}].` };
    return faultsOf(written, fields, model.mappings[written.entity], place);
  });
  if (faults.length > 0) throw refused(faults);
}

/** The custom fields of a body; none for actions and deletes. */
function givenIn({ op, body }: WriteBody): Row {
  const isRecord = op === 'create' || op === 'update' || op === 'replace';
  return isRecord ? ((body.customFields as Row | undefined) ?? {}) : {};
}

function givenNames(written: WriteBody): string[] {
  return Object.keys(givenIn(written));
}

function faultsOf(
  written: WriteBody,
  fields: readonly StoredCustomField[],
  mapping: CompiledMapping | undefined,
  within: BodyPlace,
): CustomFieldFault[] {
  const path = `body/${within.path}customFields`;
  const byName = new Map(fields.map((field) => [field.name, field]));
  return Object.entries(givenIn(written)).flatMap(([name, value]): CustomFieldFault[] => {
    const shown = name.slice(0, LONGEST_NAME).toWellFormed();
    const fault = { path: `${path}/${shown}`, field: `${within.field}customFields.${shown}` };
    const field = byName.get(name);
    if (!field) {
      const known = fields.filter((each) => isWritable(each, mapping)).map((each) => each.name);
      return [{ ...fault, ...unknownName(written.entity, shown, known), isReadOnly: false }];
    }
    if (!isWritable(field, mapping))
      return [{ ...fault, message: `\`customFields.${shown}\` can only be read. Leave it out.`, isReadOnly: true }];
    const message = customFieldFault(field, value);
    return message === null ? [] : [{ ...fault, message: `\`customFields.${shown}\`: ${message}`, isReadOnly: false }];
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
  const details = faults.slice(0, MOST_DETAILS).map(({ isReadOnly: _, ...detail }) => detail);
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new ServiceError(code, `${details[0]?.path}: ${details[0]?.message}${more}`, { details });
}

/** The input of a replacement, with null for each custom field that it omits and that can be written and cleared. */
export async function withClearedCustomFields(
  scope: Scope,
  mapping: CompiledMapping,
  { op, entity }: WriteBody,
  input: Row,
): Promise<Row> {
  if (op !== 'replace' || mapping.customFields.writable.length === 0) return input;
  const fields = (await storedCustomFields(scope, [entity])).get(entity) ?? [];
  const cleared = fields
    .filter((field) => isWritable(field, mapping) && !field.isRequired)
    .map(({ name }) => [name, null]);
  return { ...input, customFields: { ...Object.fromEntries(cleared), ...(input.customFields as Row | undefined) } };
}
