import { Ajv2020 } from 'ajv/dist/2020.js';
import { DefinitionError } from '../mapping/place.ts';
import type { Platform, Stream } from '../platform.ts';
import schema from './options.schema.json' with { type: 'json' };

type Scalar = string | number | boolean | null;

/** Rows of another table that belong to a row. */
export interface Child {
  readonly table: string;
  readonly parent: Readonly<Record<string, string>>;
  readonly where?: Readonly<Record<string, Scalar>>;
  readonly key: readonly string[];
  readonly number?: string;
  readonly written?: boolean;
}

/** What an action does to a row. */
export interface ActionOptions {
  readonly when?: { readonly column: string; readonly in: readonly Scalar[] };
  readonly refusal?: string;
  readonly requires?: readonly string[];
  readonly set?: Readonly<Record<string, Scalar>>;
  readonly now?: readonly string[];
  readonly call?: string;
}

export interface StreamOptions {
  readonly table: string;
  readonly view: string;
  readonly children: Readonly<Record<string, Child>>;
  readonly actions: Readonly<Record<string, ActionOptions>>;
  readonly content?: string;
}

export interface Journal {
  readonly table: string;
  readonly writeId: string;
  readonly object: string;
  readonly key: string;
}

export interface PlatformOptions {
  readonly schema: string;
  readonly journal?: Journal;
  readonly statementTimeoutMs: number;
  readonly cursorOverlapSeconds: number;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
ajv.addSchema(schema);
const isStream = ajv.compile<Partial<StreamOptions>>({ $ref: `${schema.$id}#/$defs/stream` });
const isPlatform = ajv.compile<Partial<PlatformOptions>>({ $ref: `${schema.$id}#/$defs/platform` });

/** What the platform says to this driver, with defaults. @throws DefinitionError */
export function platformOptions(platform: Platform): PlatformOptions {
  const options: unknown = platform.options;
  if (!isPlatform(options)) refuse(`${platform.id}/platform.yaml: options`, isPlatform.errors);
  return { schema: 'public', statementTimeoutMs: 30_000, cursorOverlapSeconds: 30, ...options };
}

/** What a stream says to this driver, with defaults. @throws DefinitionError */
export function streamOptions({ name, options }: Stream, platform: Platform): StreamOptions {
  const given: unknown = options;
  if (!isStream(given)) refuse(`${platform.id}/platform.yaml: streams.${name}.options`, isStream.errors);
  const { table = name, view = table, children = {}, actions = {}, content } = given;
  return { table, view, children, actions, ...(content !== undefined && { content }) };
}

function refuse(place: string, errors: typeof isStream.errors): never {
  throw new DefinitionError(`${place}: ${ajv.errorsText(errors, { dataVar: '' })}`);
}
