import { type Json, type Platform, requiredSettings, type Setting, settingsOf } from '@unified/connectors';
import { OPERATOR_SETTINGS } from './operator-settings.ts';

/** A setting of a platform, for a form that end users fill in. */
export interface SettingField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Empty if there is none. */
  readonly example: string;
  readonly kind: 'text' | 'address' | 'secret' | 'choice' | 'switch' | 'number';
  /** Values of a `choice`. */
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

interface Described extends Setting {
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly writeOnly?: boolean;
}

/** The settings that end users enter, in the order of the platform. */
export function settingFields(platform: Platform): SettingField[] {
  const required = requiredSettings(platform);
  return [...settingsOf(platform)]
    .filter(([name]) => !OPERATOR_SETTINGS.includes(name))
    .map(([name, setting]) => ({
      name,
      title: setting.title ?? name,
      description: setting.description ?? '',
      example: setting.examples?.[0] === undefined ? '' : String(setting.examples[0]),
      kind: kindOf(setting),
      choices: (setting as Described).enum?.map(String) ?? [],
      isRequired: required.includes(name),
    }));
}

function kindOf({ type, format, writeOnly, enum: values }: Described): SettingField['kind'] {
  if (writeOnly) return 'secret';
  if (values) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'number' || type === 'integer') return 'number';
  return format === 'uri' ? 'address' : 'text';
}

/**
 * The settings that a form contains, with the types that the platform declares. Empty fields are left out, as are names that
 * end users may not set.
 */
export function settingsOfForm(platform: Platform, form: Readonly<Record<string, string>>): Record<string, Json> {
  const given = settingFields(platform).flatMap(({ name, kind }): [string, Json][] => {
    const text = Object.hasOwn(form, name) ? (form[name] ?? '') : '';
    if (kind === 'switch') return text === '' ? [] : [[name, true]];
    const value = kind === 'secret' ? text : text.trim();
    if (value === '') return [];
    return [[name, kind === 'number' && Number.isFinite(Number(value)) ? Number(value) : value]];
  });
  return Object.fromEntries(given);
}
