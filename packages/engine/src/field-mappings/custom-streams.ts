import { isDeepStrictEqual } from 'node:util';
import { type CustomStream, customStreamProblems } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { auditedInScope, customStreamsOf, derivedVersion, replaceCustomStreams, syncStates } from '@unified/store';
import type { ChangingParts, MappedConnection } from './mapped-connection.ts';
import { type StreamFault, streamFaults } from './stream-faults.ts';

/**
 * Replaces the streams of a connection. New and changed ones are compared with the connected system, if it can be reached, and
 * read immediately, as are those whose last attempt failed. Throws SERVICE_INVALID_BODY with every problem, and
 * SERVICE_UNAVAILABLE while records are being derived.
 */
export async function replaceStreams(
  parts: ChangingParts,
  mapped: MappedConnection,
  streams: readonly CustomStream[],
): Promise<readonly CustomStream[]> {
  const { store, origin, jobs } = parts;
  const { scope, platform, connection } = mapped;
  const wanted = streams.map(({ name, key, cursor }) => ({ name, key, ...(cursor !== undefined && { cursor }) }));
  refuseStreams(customStreamProblems(platform, wanted));
  const before = await customStreamsOf(scope);
  const gone = before.map(({ name }) => name).filter((name) => !wanted.some((each) => each.name === name));
  refuseStreamsInUse(mapped, gone);
  const isNew = (stream: CustomStream) => !before.some((each) => isDeepStrictEqual(each, stream));
  refuseStreams(await streamFaults(parts, mapped, wanted, isNew));
  if (gone.length > 0 && (await derivedVersion(store, scope.connectionId)) !== connection.mappingVersion) {
    const message = 'Records are still being derived by earlier changes. Send the request again when they are.';
    throw new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 5 });
  }
  await auditedInScope(scope, origin, async (inner, record) => {
    const replaced = await replaceCustomStreams(inner, wanted);
    const state = (list: readonly CustomStream[]) => ({
      connectionId: scope.connectionId,
      streams: list.map(({ name }) => name),
    });
    await record({
      ...{ action: 'field_mapping.replace_streams', target: scope.connectionId },
      ...{ before: state(replaced), after: state(wanted) },
    });
  });
  const failed = (await syncStates(scope)).flatMap(({ stream, error }) => (error === null ? [] : [stream]));
  const due = wanted.filter((stream) => isNew(stream) || failed.includes(stream.name)).map(({ name }) => name);
  await jobs.requestDerivation(scope.connectionId);
  if (due.length > 0) await jobs.requestSync(scope.connectionId, 'full', due);
  return wanted;
}

function refuseStreamsInUse({ model }: MappedConnection, gone: readonly string[]): void {
  const reading = Object.values(model.mappings).filter(({ stream }) => gone.includes(stream));
  if (reading.length === 0) return;
  const uses = reading.map(({ entity, stream }) => `${entity} reads "${stream}"`).join(', ');
  refuseStreams([{ field: '', message: `${uses}. Activate another revision first` }]);
}

function refuseStreams(problems: readonly StreamFault[]): void {
  if (problems.length === 0) return;
  const details = problems.map(({ field, message }) => ({
    path: ['body/streams', ...field.split('.').filter(Boolean)].join('/'),
    message,
  }));
  const [first] = details;
  throw new ServiceError('SERVICE_INVALID_BODY', `${first?.path}: ${first?.message}.`, { details });
}
