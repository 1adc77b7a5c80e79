import { type BrokenMapping, type Platform, problemLine } from '@unified/connectors';
import type { SyncState } from '@unified/store';
import type { BrokenPlatform } from '../model/broken-platform.ts';
import type { SyncProblem } from './stream-problems.ts';

/** What to show of a stream besides its state: kinds of records, and why they are not read. */
export interface BrokenStream {
  readonly stream: string;
  readonly entities: readonly string[];
  readonly error: string | null;
  readonly problems: readonly SyncProblem[];
}

const ADVICE = 'Correct it and restart the service.';

/** Mappings of a stream that cannot be used, one problem for each fault. */
export function brokenIn({ broken }: Platform, stream: string): SyncProblem[] {
  return broken.filter((each) => each.stream === stream).flatMap(problemsOf);
}

/** Mappings that cannot be used and name no stream of the platform: shown under the name of their file. */
export function withoutStream({ broken, streams }: Platform): BrokenStream[] {
  const known = new Set(streams.map(({ name }) => name));
  return broken.filter(({ stream }) => stream === null || !known.has(stream)).map(streamOfFile);
}

function streamOfFile(mapping: BrokenMapping): BrokenStream {
  const { entity, problems } = mapping;
  const error = `${problems.map(problemLine).join('; ')}. ${ADVICE}`;
  return { stream: problems[0]?.file ?? entity, entities: [entity], error, problems: problemsOf(mapping) };
}

/** The streams of a platform that cannot be used: those that were read before it broke. */
export function brokenStreams({ id, problems }: BrokenPlatform, states: readonly SyncState[]): BrokenStream[] {
  const streams = states.length > 0 ? states.map(({ stream }) => stream) : [`${id}/platform.yaml`];
  const error = `The platform cannot be used: ${problems.map(problemLine).join('; ')}. ${ADVICE}`;
  return streams.map((stream) => ({ stream, entities: [], error, problems: [] }));
}

function problemsOf({ entity, problems }: BrokenMapping): SyncProblem[] {
  return problems.map(({ file, field, message }) => ({
    ...{ entity, field: field.replace(/^fields\./, ''), path: null, reason: 'broken_mapping' as const },
    ...{ message: `${problemLine({ file, field, message })}. ${ADVICE}`, count: null, example: null },
  }));
}
