import { type Json, type Platform, requiredSettings, type SettingProblem, settingsOf } from '@unified/connectors';
import type { Flags, Given } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';

export type Settings = Readonly<Record<string, Json>>;

/** `timeoutSeconds` is `--timeout-seconds`. */
export function flagOf(setting: string): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The options for the settings of a platform. */
export function settingFlags(platform: Platform): Flags {
  return Object.fromEntries(
    [...settingsOf(platform)].map(([name, { type }]) => [
      flagOf(name),
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
}

/** The settings in the command line. Text that is not a number remains text, so that the check of the settings reports it. */
export function givenSettings(platform: Platform, given: Given): Settings {
  const found = [...settingsOf(platform)].flatMap(([name, { type }]) => {
    const value = given.values.get(flagOf(name));
    return value === undefined ? [] : [[name, typeof value === 'string' ? readValue(value, type) : value] as const];
  });
  return Object.fromEntries(found);
}

function readValue(text: string, type: string | undefined): Json {
  if (type === 'array') return text.split(',').map((item) => item.trim());
  const number = Number(text);
  const isNumber = (type === 'integer' || type === 'number') && text.trim() !== '' && Number.isFinite(number);
  return isNumber ? number : text;
}

/** A problem in terms of the command line. */
export function settingLine({ setting, title, problem, remedy }: SettingProblem): string {
  return `--${flagOf(setting)}${title && ` (${title})`} ${problem}.${remedy && ` ${remedy}`}`;
}

/** One line of help for each setting. */
export function settingHelp(platform: Platform): string[] {
  const required = requiredSettings(platform);
  return [...settingsOf(platform)].map(([name, { title, description, default: preset }]) => {
    const isSecret = platform.secrets.includes(name);
    const notes = [
      required.includes(name) ? 'required' : '',
      isSecret && required.includes(name) ? 'prompted without echo if omitted' : '',
      preset === undefined || preset === false ? '' : `default ${JSON.stringify(preset)}`,
    ].filter(Boolean);
    const about = [title, description].filter(Boolean).join(': ');
    return helpLine(flagOf(name), notes.length > 0 ? `${about} (${notes.join(', ')})` : about);
  });
}
