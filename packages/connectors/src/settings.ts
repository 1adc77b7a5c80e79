import { nearest } from '@unified/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from './json.ts';
import type { Platform } from './platform.ts';
import { protocols } from './protocols.ts';

/** One setting of a platform, as its file describes it. */
export interface Setting {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly format?: string;
}

/** An error in one setting of a connection. Never contains the value, which may be secret. */
export interface SettingProblem {
  /** Name of the setting; `options.depth` for a part of one. */
  readonly setting: string;
  /** Display name; empty if the setting has none. */
  readonly title: string;
  /** Continues after the name: `is missing`. */
  readonly problem: string;
  /** What to send, as a sentence; empty if `problem` is sufficient. */
  readonly remedy: string;
}

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { uri: (text: string) => URL.canParse(text) } });
const compiled = new WeakMap<Platform, ValidateFunction>();

/** Settings of a platform by name, in the order of its file. */
export function settingsOf({ settings }: Pick<Platform, 'settings'>): ReadonlyMap<string, Setting> {
  return new Map(Object.entries((settings.properties ?? {}) as Record<string, Setting>));
}

/** Names of the required settings of a connection. */
export function requiredSettings({ settings }: Pick<Platform, 'settings'>): readonly string[] {
  return Array.isArray(settings.required) ? settings.required.map(String) : [];
}

/** Maximum length of a text. Secrets can be keys and tokens. */
const LONGEST_TEXT = 2_000;
const LONGEST_SECRET = 20_000;

/**
 * All errors in the settings of a connection; empty if they can be used. Makes no calls. Texts that are too long are refused
 * before anything else is checked.
 */
export function settingsProblems(platform: Platform, settings: Readonly<Record<string, Json>>): SettingProblem[] {
  const long = longTexts(platform, settings);
  if (long.length > 0) return long;
  const validate = compiled.get(platform) ?? ajv.compile(platform.settings);
  compiled.set(platform, validate);
  validate(settings);
  const found = problemsOf(validate.errors ?? [], settingsOf(platform));
  // One problem per setting: the description of the platform takes precedence, then the requirements of its driver.
  const all = [...found, ...emptyOnes(platform, settings), ...unusable(platform, settings)];
  return all.filter(({ setting }, index) => all.findIndex((each) => each.setting === setting) === index);
}

function longTexts(platform: Platform, given: Readonly<Record<string, Json>>): SettingProblem[] {
  const settings = settingsOf(platform);
  return Object.entries(given).flatMap(([name, value]) => {
    const longest = platform.secrets.includes(name) ? LONGEST_SECRET : LONGEST_TEXT;
    if (typeof value !== 'string' || value.length <= longest) return [];
    const problem = `is longer than ${longest} characters`;
    return { setting: name, title: settings.get(name)?.title ?? '', problem, remedy: '' };
  });
}

/** Required texts that are empty. Platforms need not forbid this in their schema. */
function emptyOnes(platform: Platform, given: Readonly<Record<string, Json>>): SettingProblem[] {
  const settings = settingsOf(platform);
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
  return requiredSettings(platform)
    .filter((name) => isEmpty(given[name]))
    .map((name) => {
      const setting = settings.get(name) ?? {};
      return { setting: name, title: setting.title ?? '', problem: 'is empty', remedy: remedyOf(setting) };
    });
}

/** Settings that the driver cannot use, such as the address of another kind of database. */
function unusable(platform: Platform, given: Readonly<Record<string, Json>>): SettingProblem[] {
  const { driver } = platform;
  const protocol = Object.hasOwn(protocols, driver) ? protocols[driver] : undefined;
  if (!protocol) return [];
  const { properties, validate } = protocol.options.settings(platform);
  if (validate(given)) return [];
  const offered = settingsOf(platform);
  const described = Object.entries(properties).map(([name, read]): [string, Setting] => {
    return [name, { ...read, ...offered.get(name), ...(read.examples && { examples: read.examples }) }];
  });
  return problemsOf(validate.errors ?? [], new Map(described));
}

/** One problem as a sentence: `url (Connection string) is missing. Send …` */
export function settingSentence({ setting, title, problem, remedy }: SettingProblem): string {
  return `${setting}${title && ` (${title})`} ${problem}.${remedy && ` ${remedy}`}`;
}

function problemsOf(errors: readonly ErrorObject[], settings: ReadonlyMap<string, Setting>): SettingProblem[] {
  const byName = Map.groupBy(errors, nameOf);
  // Only the first problem of each setting: an empty text, for example, also violates a pattern.
  return [...byName].flatMap(([name, [error]]) => {
    const setting = settings.get(name.split('.')[0] ?? '') ?? {};
    if (!error) return [];
    const unknown = error.keyword === 'additionalProperties';
    const remedy = unknown ? known(name, [...settings.keys()]) : remedyOf(setting);
    return { setting: name, title: setting.title ?? '', problem: problemOf(error), remedy };
  });
}

/** Keywords whose errors name a missing setting. */
const lacking: ReadonlySet<string> = new Set(['required', 'dependentRequired']);

function nameOf({ instancePath, keyword, params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  const extra = lacking.has(keyword) ? params.missingProperty : params.additionalProperty;
  return [place, extra].filter(Boolean).join('.');
}

function problemOf({ keyword, params, message = 'is wrong' }: ErrorObject): string {
  if (lacking.has(keyword)) return 'is missing';
  if (keyword === 'additionalProperties') return 'is not a setting of this platform';
  if (keyword === 'pattern' || keyword === 'format') return 'does not have the right form';
  if (keyword === 'type') return `must be ${typeNames[String(params.type)] ?? params.type}`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'minimum') return `must be at least ${params.limit}`;
  if (keyword === 'maximum') return `must be at most ${params.limit}`;
  if (keyword === 'minLength') return params.limit === 1 ? 'is empty' : `is shorter than ${params.limit} characters`;
  if (keyword === 'maxLength') return `is longer than ${params.limit} characters`;
  return message;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function remedyOf({ examples = [], description = '' }: Setting): string {
  const shown = examples.map((example) => (typeof example === 'string' ? example : JSON.stringify(example)));
  if (shown.length > 0) return `Send for example ${shown.join(' or ')}.`;
  return description && `${description.replace(/\.$/, '')}.`;
}

function known(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined ? `Its settings are ${names.join(', ')}.` : `Did you mean ${meant}?`;
}
