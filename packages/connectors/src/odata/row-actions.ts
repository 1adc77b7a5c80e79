import type { Row, RowActions } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { literal } from './literal.ts';
import type { ODataVersion, Operation } from './metadata/metadata.ts';
import type { ODataRequest, ODataSession } from './odata-session.ts';
import { type Source, sourceOf } from './source.ts';
import { existingEntity, type StoredEntity } from './stored-entity.ts';
import { encodeValue } from './values.ts';

/** Bound actions in V4 and function imports in V2. */
export function rowActions(session: ODataSession): RowActions {
  return {
    async act(stream, key, action, values) {
      const source = await sourceOf(session, stream);
      const operation = operationOf(source, action);
      if (!operation)
        throw new SystemError(
          'rejected',
          `The service has no operation ${action} for ${source.set.name}. Check "act" in the mapping`,
        );
      const unknown = Object.keys(values).filter((name) => !operation.parameters.has(name));
      if (unknown.length > 0) {
        throw new SystemError('rejected', `The operation ${action} has no ${unknown.join(', ')}`, { columns: unknown });
      }
      const stored = await existingEntity(session, source, key);
      await session.send(
        operation.boundTo === undefined
          ? imported(source, operation, stored, values)
          : bound(source, operation, stored, values),
      );
    },
  };
}

/** The operation that an `act` names, bound to the type of the stream; its namespace can be left out. */
export function operationOf(
  { metadata, set }: Pick<Source, 'metadata' | 'set'>,
  action: string,
): Operation | undefined {
  return metadata.operations.find(
    ({ name, boundTo }) =>
      (boundTo === undefined && name === action) ||
      (boundTo === set.type.name && (name === action || name.endsWith(`.${action}`))),
  );
}

function bound({ metadata }: Source, operation: Operation, { path, match }: StoredEntity, values: Row): ODataRequest {
  const body = bodyOf(operation, values, metadata.version);
  return { method: 'POST', path: `${path}/${operation.name}`, body, headers: match, changes: true };
}

/** Parameters with the name of a key property get its value. V2 has parameters in the address. */
function imported(
  { stream, metadata }: Source,
  operation: Operation,
  { row, match }: StoredEntity,
  values: Row,
): ODataRequest {
  const { name, method, parameters } = operation;
  const keys = Object.fromEntries(stream.key.map((column) => [column, row[column]]));
  const given: Row = { ...keys, ...values };
  if (metadata.version === 4) {
    return { method, path: name, body: bodyOf(operation, given, 4), headers: match, changes: true };
  }
  const query = [...parameters.values()]
    .filter((parameter) => parameter.name in given)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(literal(given[parameter.name], parameter, 2))}`);
  return { method, path: `${name}?${query.join('&')}`, headers: match, changes: true };
}

function bodyOf({ parameters }: Operation, values: Row, version: ODataVersion): Row {
  const given = [...parameters.values()].filter(({ name }) => name in values);
  return Object.fromEntries(
    given.map((parameter) => [parameter.name, encodeValue(values[parameter.name], parameter, version)]),
  );
}
