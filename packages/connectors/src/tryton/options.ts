import { driverOptions } from '../driver-options.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import schema from './options.schema.json' with { type: 'json' };
import type { Wire } from './wire.ts';

/**
 * A field of the row that is the value of the first matching record of a list, such as the first e-mail address among the
 * contact details. Writing it changes that record, adds one, or (null) deletes it.
 */
export interface First {
  /** The list (one2many) of the model. */
  readonly of: string;
  /** Values that a record of the list must have; a new one gets them. */
  readonly where?: Readonly<Record<string, Json>>;
  /** Field of the record that contains the value. */
  readonly value: string;
}

/** Fields that Tryton fills in when others are set, as in its own client (`on_change`). */
export interface Completion {
  /** List (one2many) whose records are completed. If absent, the record itself is completed. */
  readonly each?: string;
  /** Field that refers from the records of the list to the record that owns them; only with `each`. */
  readonly parent?: string;
  /** Fields that cause others to be filled in. */
  readonly on: readonly string[];
  /** Fields that Tryton computes from the others (`on_change_with`). */
  readonly with?: readonly string[];
  /** Lists (one2many) of which the records that Tryton proposes are created as well. */
  readonly lists?: readonly string[];
}

/** A button, with the states that it must lead to, because Tryton silently skips records for which the step is not possible. */
export interface Button {
  /** Values of `state`, one of which must have been reached. */
  readonly to: readonly string[];
  /** Buttons to press before, by the state in which each is needed. */
  readonly first?: Readonly<Record<string, string>>;
  /** Button to press next if the record is still in this state. */
  readonly then?: { readonly from: string; readonly press: string };
}

/** The record that a relation of a new record refers to if the request does not contain the relation. */
export interface DefaultRecord {
  /** Values of the record. If several records have them, none is used. */
  readonly with: Readonly<Record<string, Json>>;
}

/** The `options` of a Tryton stream; see `options.schema.json`. */
export interface StreamOptions {
  readonly model?: string;
  readonly fields: readonly string[];
  readonly allFields?: true;
  readonly domain?: readonly Wire[];
  readonly touchedBy?: readonly string[];
  readonly firsts?: Readonly<Record<string, First>>;
  readonly flagsAt?: Readonly<Record<string, string>>;
  readonly lines?: readonly string[];
  readonly positions?: Readonly<Record<string, string>>;
  readonly references?: readonly string[];
  readonly matches?: Readonly<Record<string, readonly Wire[]>>;
  readonly defaults?: Readonly<Record<string, DefaultRecord>>;
  readonly followers?: Readonly<Record<string, string>>;
  readonly completions?: readonly Completion[];
  readonly buttons?: Readonly<Record<string, Button>>;
}

/** Options with the model that the stream reads. */
export type ModelOptions = StreamOptions & { readonly model: string };

/** A boolean of a record that is not a field in Tryton; one of its signs is sufficient. See `options.schema.json`. */
export interface Flag {
  readonly listed?: { readonly in: string; readonly by: string; readonly values: readonly string[] };
  readonly changed?: readonly string[];
  readonly referenced?: Readonly<Record<string, string | ReferenceField>>;
}

/** A field (many2one) through which records refer to another record. Only those that the domain selects count. */
export interface ReferenceField {
  readonly field: string;
  readonly domain: readonly Wire[];
}

/** Flags of one model by name. */
export type FlagsOfModel = Readonly<Record<string, Flag>>;

/** Fields and buttons of one model that have another name in some series, each with that name. */
export interface OtherNames {
  readonly fields?: Readonly<Record<string, string>>;
  readonly buttons?: Readonly<Record<string, string>>;
}

/** What the platform declares under `options`. */
export interface PlatformOptions {
  /** By model. */
  readonly otherNames?: Readonly<Record<string, OtherNames>>;
  /** By model. */
  readonly flags?: Readonly<Record<string, FlagsOfModel>>;
  readonly confirmWarnings?: readonly string[];
  readonly overlapSeconds?: number;
}

/** Options of platforms and streams, checked by their schema. */
export const trytonOptions = driverOptions<PlatformOptions, StreamOptions>(schema);

/** The options of a stream, with its model. @throws DefinitionError */
export function optionsOf(stream: Stream): ModelOptions {
  const options = trytonOptions.stream(stream);
  return { ...options, model: options.model ?? stream.name };
}
