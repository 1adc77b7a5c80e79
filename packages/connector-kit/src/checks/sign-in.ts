import { SystemError } from '@unified/connectors';
import { type ConformanceCheck, outcomeOf } from '../conformance-check.ts';

/** Whether the credentials were accepted and part of what was requested refused: the checks of the streams find it again. */
function isAboutStream(error: unknown): boolean {
  return error instanceof SystemError && (error.kind === 'rejected' || error.kind === 'forbidden');
}

/** The settings are accepted. */
export const signIn: ConformanceCheck = {
  name: 'sign-in',
  asserts: 'The system can be reached, and accepts the credentials.',
  consequence: 'No connection can be made.',
  async run({ driver, platform }) {
    await driver.check().catch((error: unknown) => {
      if (!isAboutStream(error)) throw error;
    });
    return outcomeOf([], `signed in to ${platform.name}`);
  },
};
