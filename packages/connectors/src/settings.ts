import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from './json.ts';
import type { Platform } from './platform.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const compiled = new WeakMap<Platform, ValidateFunction>();

/** What is wrong with the settings of a connection, one sentence each; empty when they can be used. Never shows values. */
export function settingsProblems(platform: Platform, settings: Readonly<Record<string, Json>>): string[] {
  const validate = compiled.get(platform) ?? ajv.compile(platform.settings);
  compiled.set(platform, validate);
  if (validate(settings)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = 'is wrong', params }) => {
    const extra = typeof params.additionalProperty === 'string' ? ` (${params.additionalProperty})` : '';
    return `${instancePath.slice(1).replaceAll('/', '.')} ${message}${extra}`.trim();
  });
}
