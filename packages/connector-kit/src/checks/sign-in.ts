import { SystemError } from '@unified/connectors';
import { type ConformanceCheck, outcomeOf } from '../conformance-check.ts';

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
  async run({ driver, platform }) {
    await driver.check().catch((error: unknown) => {
      if (!isAboutStream(error)) throw error;
    });
    return outcomeOf([], `signed in to ${platform.name}`);
  },
};
