import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from './json.ts';
import type { Platform } from './platform.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
/** When a connection is synchronised: the same for every platform, and not for its driver. */
const schedule = ajv.compile({
  type: 'object',
  additionalProperties: false,
  properties: { everyMinutes: { type: 'number', minimum: 1 }, fullEveryHours: { type: 'number', minimum: 1 } },
});
const compiled = new WeakMap<Platform, ValidateFunction>();

/**
 * What is wrong with the settings of a connection, one sentence each; empty when they can be used. Never shows values.
 * Besides what its platform asks for, a connection may have `sync: { everyMinutes, fullEveryHours }`.
 */
export function settingsProblems(platform: Platform, settings: Readonly<Record<string, Json>>): string[] {
  const validate = compiled.get(platform) ?? ajv.compile(platform.settings);
  compiled.set(platform, validate);
  const { sync, ...own } = settings;
  validate(own);
  if (sync !== undefined) schedule(sync);
  const inSchedule = sync === undefined ? [] : (schedule.errors ?? []);
  return [...sentences(validate.errors ?? [], ''), ...sentences(inSchedule, '/sync')];
}

function sentences(errors: readonly ErrorObject[], place: string): string[] {
  return errors.map(({ instancePath, message = 'is wrong', params }) => {
    const extra = typeof params.additionalProperty === 'string' ? ` (${params.additionalProperty})` : '';
    return `${`${place}${instancePath}`.slice(1).replaceAll('/', '.')} ${message}${extra}`.trim();
  });
}
