import { ServiceError } from '@unified/contract';
import { entityIn, type WriteWarning } from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { capabilityOf } from '../model/capability.ts';
import type { WriteBody } from './given-references.ts';
import { mapOut, mappingFor, prepareWrite } from './prepare-write.ts';
import { warningsOf } from './write-warnings.ts';

const MOST_DETAILS = 20;

/**
 * Refuses bodies with fields or values that the connected system does not support, before anything is queued. `list` is the list
 * in the request that contains the bodies; if absent, the request is the body. Throws SERVICE_FIELD_NOT_SUPPORTED with all of
 * them, and the values of the field or the fields that the system accepts.
 */
export async function checkSupported(
  session: Pick<DriverSession, 'model' | 'scope'>,
  bodies: readonly WriteBody[],
  list?: string,
): Promise<void> {
  const details: { path: string; field: string; message: string; allowed: readonly unknown[] }[] = [];
  for (const [index, written] of bodies.entries()) {
    const { writeFields, allowedValues } = capabilityOf(session.model, entityIn(session.scope, written.entity));
    const allowedFor = (name: string) => allowedValues.find(({ field }) => field === name)?.values ?? writeFields;
    const place = list === undefined ? '' : `${list}/${index}/`;
    for (const { field, message } of await warningsBefore(session, written))
      details.push({ path: `body/${place}${field.replaceAll('.', '/')}`, field, message, allowed: allowedFor(field) });
  }
  if (details.length === 0) return;
  const shown = details.slice(0, MOST_DETAILS);
  const fields = shown.map(({ field }) => `\`${field}\``);
  const message = `${session.model.platform.name} does not support ${fields.join(', ')} as sent. Nothing was queued.`;
  throw new ServiceError('SERVICE_FIELD_NOT_SUPPORTED', message, { details: shown });
}

/** What a write would not send, as its warnings say. References that match no record yet are not looked up. */
async function warningsBefore(
  session: Pick<DriverSession, 'model' | 'scope'>,
  write: WriteBody,
): Promise<readonly WriteWarning[]> {
  try {
    return (await prepareWrite(session, write)).warnings;
  } catch (error) {
    if (!(error instanceof ServiceError && REFERENCE_CODES.has(error.code))) throw error;
    const { mapping } = mappingFor(session.model, write);
    return warningsOf(session.model, write, mapOut(mapping, write, write.body).unsupported);
  }
}

/** Errors of references that an earlier write may still resolve. */
const REFERENCE_CODES: ReadonlySet<string> = new Set(['SERVICE_UNRESOLVED_REFERENCE', 'SERVICE_AMBIGUOUS_REFERENCE']);
