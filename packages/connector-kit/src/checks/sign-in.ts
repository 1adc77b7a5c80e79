import { SystemError } from '@unified/connectors';
import { type ConformanceCheck, outcomeOf } from '../conformance-check.ts';
import { surveyedStreams } from '../surveyed-streams.ts';

/** Whether only a part of what was requested is missing or not allowed, which the checks of the streams will report. */
function isAboutStream(error: unknown): boolean {
  return error instanceof SystemError && (error.kind === 'rejected' || error.kind === 'forbidden');
}

/** The system responds and does not refuse the settings. */
export const signIn: ConformanceCheck = {
  name: 'sign-in',
  points: 5,
  asserts:
    'The system can be reached, and does not refuse the credentials. A missing permission is not a failure here.',
  consequence: 'No connection can be made.',
  async run(system) {
    await system.driver.check().catch(async (error: unknown) => {
      // Only a stream that can be read proves that the credentials are accepted.
      if (!isAboutStream(error) || (await surveyedStreams(system)).length === 0) throw error;
    });
    return outcomeOf([], `signed in to ${system.platform.name}`);
  },
};
