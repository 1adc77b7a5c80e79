import { asSentence, SystemError } from '@unified/connectors';
import { type ConformanceCheck, outcomeOf } from '../conformance-check.ts';
import { wrongSecrets } from '../wrong-secrets.ts';

/** Wrong credentials are recognized as such. One attempt per secret, so that no account is locked. */
export const refusedCredentials: ConformanceCheck = {
  name: 'refused-credentials',
  points: 5,
  asserts: 'A wrong password, key or token is refused, and reported as wrong credentials.',
  consequence: 'Users would see an outage, and the service would repeat calls with the wrong password.',
  async run(system) {
    const attempts = wrongSecrets(system.platform, system.settings);
    if (attempts.length === 0) return { result: 'not_applicable', reason: 'The settings contain no secret.' };
    const notes: string[] = [];
    for (const { setting, settings } of attempts) {
      const error = await system
        .withSession(settings, (driver) => driver.check())
        .then(
          () => null,
          (thrown: unknown) => thrown,
        );
      if (error !== null && !(error instanceof SystemError)) throw error;
      if (error?.kind === 'unauthorized') {
        notes.push(...unreadMessage(setting, error));
        continue;
      }
      const problem = error
        ? `A wrong ${setting} is reported as "${error.kind}": ${asSentence(error.words)}`
        : `The system accepts a wrong ${setting}.`;
      const remedy = error
        ? 'Use a driver option that recognizes this refusal, such as `failures` of REST.'
        : 'In the option `check`, name a call that requires credentials, or require credentials in the system.';
      return { result: 'failed', findings: [{ place: setting, problem, remedy }] };
    }
    return outcomeOf([], attempts.map(({ setting }) => setting).join(', '), notes);
  },
};

/** A note on a response with content in which the platform finds no message: users would see none in other refusals either. */
function unreadMessage(setting: string, { isUnread, cause }: SystemError): string[] {
  if (!isUnread) return [];
  const place = 'State in `failures` of REST where the response has its message';
  return [
    `No message was found in the refusal of a wrong ${setting}, which begins with ${JSON.stringify(cause)}. ${place}.`,
  ];
}
