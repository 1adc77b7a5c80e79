import type { CompiledMapping, Row, Stream } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { brokenError, brokenMapping } from '../model/broken-platform.ts';
import { type ConnectionModel, streamOf } from '../model/connection-model.ts';
import { resolveReferences, targetsIn, type WriteBody } from './given-references.ts';
import { type Lookups, referenceLookup, unsupported, valueUnsupported } from './lookup-reference.ts';

/** A write as the connected system is sent it. */
export interface PreparedWrite extends Lookups {
  readonly stream: Stream;
  readonly mapping: CompiledMapping;
  /** The request with its references resolved. */
  readonly input: Row;
  readonly values: Row;
  readonly act: string | null;
  /** Fields that are not sent. */
  readonly unsupported: readonly string[];
}

/**
 * The stream and mapping that a write goes to. Throws `ServiceError` SERVICE_NOT_SUPPORTED when the connected system does
 * not have the entity or the operation, SERVICE_PLATFORM_BROKEN when the mapping cannot be used.
 */
export function targetFor(model: ConnectionModel, { entity, op, action = null }: Omit<WriteBody, 'body'>) {
  const stream = streamOf(model, entity);
  const mapping = stream && model.mappings[entity];
  const broken = brokenMapping(model, entity);
  if (broken) throw brokenError(`The mapping of ${entity}`, broken.problems);
  const isAble = op === 'action' ? Object.hasOwn(mapping?.actions ?? {}, action ?? '') : mapping?.writes.has(op);
  if (!mapping || !stream || !isAble) {
    throw new ServiceError('SERVICE_NOT_SUPPORTED', `${model.platform.name} cannot ${action ?? op} a ${entity}.`);
  }
  return { mapping, stream };
}

/**
 * Looks up the references of a write and maps it to the values that the connected system is sent. Reads from the database
 * only. Throws `ServiceError`.
 */
export async function prepareWrite(
  { scope, model }: Pick<DriverSession, 'model' | 'scope'>,
  write: WriteBody,
): Promise<PreparedWrite> {
  const { mapping, stream } = targetFor(model, write);
  const { platform } = model;
  const lookups: Lookups = { resolvedRefs: [], warnings: [] };
  const lookup = referenceLookup(scope, model, lookups);
  const input = await resolveReferences(targetsIn(scope, write), write.body, lookup);
  const written = mapOut(mapping, write, input);
  if (write.op === 'action' && written.act === null) {
    const message = `${platform.name} cannot ${write.action} a ${write.entity} like this.`;
    throw new ServiceError('SERVICE_NOT_SUPPORTED', message);
  }
  const warnings = written.unsupported.map((field) =>
    mapping.writable.includes(field)
      ? valueUnsupported(platform, write.entity, field, input[field])
      : unsupported(platform, field),
  );
  return {
    stream,
    mapping,
    input,
    ...written,
    resolvedRefs: lookups.resolvedRefs,
    warnings: [...lookups.warnings, ...warnings],
  };
}

function mapOut(mapping: CompiledMapping, { op, action }: WriteBody, input: Row) {
  if (op !== 'action') return { act: null, ...mapping.write(input, { op }) };
  return mapping.actions[action ?? '']?.write(input) ?? { act: null, values: {}, unsupported: [] };
}
