import { nearest } from '@unified/contract';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from './json.ts';
import { DefinitionError, type DefinitionProblem } from './mapping/definition-error.ts';
import { shapeProblems } from './mapping/shape-problems.ts';
import { compiledOnUse } from './own-schema.ts';
import type { Platform, Stream } from './platform.ts';

/** Keywords of a setting that messages quote. */
interface Setting {
  readonly type?: string;
  readonly $ref?: string;
  readonly description?: string;
  /** Whether it is secret. */
  readonly writeOnly?: boolean;
  /** `uri` if it is an address. */
  readonly format?: string;
  readonly examples?: readonly Json[];
}

/** JSON Schema of the options and settings of a driver, as in `sql/options.schema.json`. */
export interface OptionsSchema {
  readonly $id: string;
  readonly $defs: {
    /** Settings of a connection that the driver reads. Platforms describe those that they offer. */
    readonly settings: {
      readonly type: string;
      readonly properties: Readonly<Record<string, Setting>>;
      readonly required: readonly string[];
    };
    /** `options` of a platform. */
    readonly platform: object;
    /** `options` of a stream. */
    readonly stream: object;
  };
}

/** Checks the settings of a connection. */
export interface SettingsCheck {
  readonly properties: OptionsSchema['$defs']['settings']['properties'];
  /** Whether the driver can use them; errors are in `errors`, as with Ajv. */
  readonly validate: ValidateFunction;
}

/** Reads the options of a protocol, checked against its schema: `P` are those of a platform, `S` those of a stream. */
export interface DriverOptions<P = unknown, S = unknown> {
  readonly schema: OptionsSchema;
  /** @throws DefinitionError */
  platform(platform: Pick<Platform, 'id' | 'options' | 'streams'>): P;
  /** @throws DefinitionError */
  stream(stream: Stream, platformId?: string): S;
  /** The settings that connections of a platform can have. */
  settings(platform: Pick<Platform, 'options'>): SettingsCheck;
  /** Names of the settings that connections of a platform must have. */
  required(platform: Pick<Platform, 'options'>): readonly string[];
}

/** How settings depend on the options of the platform. */
interface DependentSettings {
  /** Settings with a narrower schema. */
  readonly narrowed?: (options: Platform['options']) => OptionsSchema['$defs']['settings']['properties'];
  /** Required settings that such a platform does not need. */
  readonly unneeded?: (options: Platform['options']) => readonly string[];
}

/**
 * The options of a driver, checked against its schema, which is compiled on first use. The caller states the types that the
 * schema describes.
 */
export function driverOptions<P, S>(
  schema: OptionsSchema,
  { narrowed = () => ({}), unneeded = () => [] }: DependentSettings = {},
): DriverOptions<P, S> {
  const { $defs } = schema;
  const platformOptions = compiledOnUse<P>({ ...$defs.platform, $defs });
  const streamOptions = compiledOnUse<S>({ ...$defs.stream, $defs });
  const checked = new WeakMap<object, S>();
  const settings = new WeakMap<object, SettingsCheck>();
  const requiredWith = (options: Platform['options']) =>
    $defs.settings.required.filter((name) => !unneeded(options).includes(name));
  return {
    schema,
    required: ({ options }) => requiredWith(options),
    settings({ options }) {
      const { settings: all } = $defs;
      const properties = { ...all.properties, ...narrowed(options) };
      const check = settings.get(options) ?? {
        properties,
        validate: compiledOnUse({ ...all, required: requiredWith(options), properties, $defs })(),
      };
      settings.set(options, check);
      return check;
    },
    platform({ id, options }) {
      const given: unknown = options;
      const isPlatform = platformOptions();
      if (isPlatform(given)) return given;
      throw new DefinitionError(shapeProblems(`${id}/platform.yaml`, isPlatform.errors ?? [], 'options'));
    },
    stream({ name, options }, platformId) {
      const known = checked.get(options);
      if (known !== undefined) return known;
      const given: unknown = options;
      const file = platformId === undefined ? '' : `${platformId}/platform.yaml`;
      const isStream = streamOptions();
      if (!isStream(given))
        throw new DefinitionError(shapeProblems(file, isStream.errors ?? [], `streams.${name}.options`));
      checked.set(options, given);
      return given;
    },
  };
}

/** Everything in the options and settings of a platform that its driver cannot use. */
export function optionsProblems(platform: Platform, options: DriverOptions): DefinitionProblem[] {
  const checks = [
    () => options.platform(platform),
    ...platform.streams.map((stream) => () => options.stream(stream, platform.id)),
  ];
  return [...checks.flatMap(problemsOf), ...settingsProblems(platform, options)];
}

function problemsOf(check: () => unknown): readonly DefinitionProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

/**
 * A platform offers only settings that its driver reads, marks the secret ones and the addresses, and requires those that the
 * driver requires.
 */
function settingsProblems(
  { id, driver, settings, options }: Platform,
  { schema, required }: Pick<DriverOptions, 'schema' | 'required'>,
): DefinitionProblem[] {
  const { properties } = schema.$defs.settings;
  const names = Object.keys(properties);
  const described = (settings.properties ?? {}) as Readonly<Record<string, Setting | undefined>>;
  const offered = Object.keys(described);
  const asked: unknown[] = Array.isArray(settings.required) ? settings.required : [];
  const problem = (field: string, message: string) => ({ file: `${id}/platform.yaml`, field, message });
  const unread = offered.filter((name) => !names.includes(name));
  const open = offered.filter((name) => properties[name]?.writeOnly && described[name]?.writeOnly !== true);
  const unmarked = offered.filter((name) => properties[name]?.format === 'uri' && described[name]?.format !== 'uri');
  return [
    ...unread.map((name) => {
      const meant = nearest(name, names);
      const remedy = meant === undefined ? `it reads ${names.join(', ')}` : `did you mean ${meant}?`;
      return problem(`settings.properties.${name}`, `the driver "${driver}" has no such setting; ${remedy}`);
    }),
    ...open.map((name) =>
      problem(`settings.properties.${name}`, 'the setting is secret, and would be shown; add writeOnly: true'),
    ),
    ...unmarked.map((name) =>
      problem(
        `settings.properties.${name}`,
        'the setting is an address, and stored secrets could be sent to another one; add format: uri',
      ),
    ),
    ...required({ options })
      .filter((name) => !asked.includes(name))
      .map((name) => problem('settings.required', `the driver "${driver}" needs the setting "${name}"`)),
  ];
}
