import type { CompiledMapping, Row, Stream } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import type { WriteOp } from '@unified/store';
import type { DriverSession } from '../drivers/driver-session.ts';
import { brokenError, brokenMapping } from '../model/broken-platform.ts';
import { streamOf } from '../model/streams.ts';
import { targetsIn } from '../queue/check-references.ts';
import { type Lookups, referenceLookup, unsupported } from './lookup-reference.ts';
import { resolveReferences } from './references.ts';

/** What a write asks for. */
export interface Wanted {
  readonly entity: string;
  readonly op: WriteOp;
  readonly action: string | null;
  readonly body: Row;
}

/** A write in the words of the connected system. */
export interface PreparedWrite extends Lookups {
  readonly stream: Stream;
  readonly mapping: CompiledMapping;
  /** The request with its references looked up. */
  readonly input: Row;
  readonly values: Row;
  readonly act: string | null;
  /** Fields that are not sent. */
  readonly unsupported: readonly string[];
}

/**
 * Where an entity lives in the connected system. Throws `ServiceError` SERVICE_NOT_SUPPORTED when the system does not
 * know it or does not let us do this to it, SERVICE_PLATFORM_BROKEN when its mapping cannot be used.
 */
export function targetFor(
  { platform }: Pick<DriverSession, 'platform'>,
  wanted: Pick<Wanted, 'entity' | 'op' | 'action'>,
) {
  const stream = streamOf(platform, wanted.entity);
  const mapping = stream && platform.mappings[wanted.entity];
  const { op, action } = wanted;
  const broken = brokenMapping(platform, wanted.entity);
  if (broken) throw brokenError(`The mapping of ${wanted.entity}`, broken.problems);
  const able = op === 'action' ? Object.hasOwn(mapping?.actions ?? {}, action ?? '') : mapping?.writes.has(op);
  if (!mapping || !stream || !able) {
    const what = action ?? op;
    throw new ServiceError('SERVICE_NOT_SUPPORTED', `${platform.name} cannot ${what} a ${wanted.entity}.`);
  }
  return { mapping, stream };
}

/**
 * Looks up the references of a write and maps it to what the connected system is to be sent; calls nothing but the
 * database. Throws `ServiceError`.
 */
export async function prepareWrite(
  session: Pick<DriverSession, 'platform' | 'scope'>,
  wanted: Wanted,
): Promise<PreparedWrite> {
  const { mapping, stream } = targetFor(session, wanted);
  const lookups: Lookups = { resolvedRefs: [], warnings: [] };
  const lookup = referenceLookup(session.scope, session.platform, lookups);
  const input = await resolveReferences(targetsIn(session.scope, wanted), wanted.body, lookup);
  const written = mapOut(mapping, wanted, input);
  if (wanted.op === 'action' && written.act === null) {
    const message = `${session.platform.name} cannot ${wanted.action} a ${wanted.entity} like this.`;
    throw new ServiceError('SERVICE_NOT_SUPPORTED', message);
  }
  const warnings = [...lookups.warnings, ...written.unsupported.map((field) => unsupported(session.platform, field))];
  return { stream, mapping, input, ...written, resolvedRefs: lookups.resolvedRefs, warnings };
}

function mapOut(mapping: CompiledMapping, { op, action }: Wanted, input: Row) {
  if (op !== 'action') return { act: null, ...mapping.write(input, { op }) };
  return mapping.actions[action ?? '']?.write(input) ?? { act: null, values: {}, unsupported: [] };
}
