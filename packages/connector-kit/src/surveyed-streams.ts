import { SystemError } from '@unified/connectors';
import { type ConformanceCheck, type Outcome, skipped } from './conformance-check.ts';
import type { Survey } from './survey.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** The surveys of the streams that can be read; `readable-streams` reports the others. */
export async function surveyedStreams(system: SystemUnderTest): Promise<Survey[]> {
  const surveys: Survey[] = [];
  for (const stream of system.platform.streams) {
    try {
      surveys.push(await system.survey(stream));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
  return surveys;
}

/** The surveys of streams that have rows. */
export async function streamsWithRows(system: SystemUnderTest): Promise<Survey[]> {
  return (await surveyedStreams(system)).filter(({ keys }) => keys.length > 0);
}

/** What a check compares, once there are surveys to compare. */
type Comparison = (surveys: readonly Survey[], system: SystemUnderTest) => Outcome | Promise<Outcome>;

/** Runs a check of the streams that have rows; it is skipped if there are none. */
export function overRows(compare: Comparison): ConformanceCheck['run'] {
  return async (system) => {
    const surveys = await streamsWithRows(system);
    return surveys.length === 0 ? skipped('no rows') : compare(surveys, system);
  };
}

/** Runs a check of the streams that have rows and a cursor. */
export function overCursors(compare: Comparison): ConformanceCheck['run'] {
  return async (system) => {
    const surveys = (await streamsWithRows(system)).filter(({ stream }) => stream.cursor !== undefined);
    if (surveys.length === 0) return { result: 'not_applicable', reason: 'No stream with rows has a cursor.' };
    return compare(surveys, system);
  };
}

/** Keys for a message: the first ones, and how many there are. */
export function someOf(keys: readonly string[]): string {
  const shown = keys.slice(0, 3).map((key) => `"${key}"`);
  return keys.length > 3 ? `${shown.join(', ')} and ${keys.length - 3} more` : shown.join(', ');
}
