import { SystemError } from '@unified/connectors';
import { type Outcome, skipped } from './conformance-check.ts';
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

/** The outcome of checks that compare rows, if no stream has any. */
export const NO_ROWS: Outcome = skipped('no rows');

/** Keys for a message: the first ones, and how many there are. */
export function someOf(keys: readonly string[]): string {
  const shown = keys.slice(0, 3).map((key) => `"${key}"`);
  return keys.length > 3 ? `${shown.join(', ')} and ${keys.length - 3} more` : shown.join(', ');
}
