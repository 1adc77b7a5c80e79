import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import type { Wire } from './wire.ts';

/**
 * A field of the row that stands for the first record of a list that fits, such as the first e-mail address among the
 * contact mechanisms of a party. Writing it changes that record, adds one, or (null) deletes it.
 */
export interface First {
  /** The list (one2many) of the model. */
  readonly of: string;
  /** Values that a record of the list must have; a new one gets them. */
  readonly where?: Readonly<Record<string, Json>>;
  /** Field of the record that holds the value. */
  readonly value: string;
}

/** Fields that Tryton fills in when others are set, as its own client has it done (`on_change`). */
export interface Completion {
  /** List (one2many) whose records are completed; absent: the record itself. */
  readonly each?: string;
  /** Field by which the records of the list know theirs; goes with `each`. */
  readonly parent?: string;
  /** Fields that cause others to be filled in. */
  readonly on: readonly string[];
}

/** A button: where it must lead, since Tryton passes over records that cannot take the step in silence. */
export interface Button {
  /** Values of `state` of which one must have been reached. */
  readonly to: readonly string[];
  /** Button to press in addition where the record has come no further than this state. */
  readonly then?: { readonly from: string; readonly press: string };
}

/** What a stream of Tryton declares under `options`. */
export interface StreamOptions {
  /** Default: name of the stream. */
  readonly model?: string;
  /** Fields to read; dotted ones follow relations. Those that the database does not have are left out. */
  readonly fields: readonly string[];
  /** Rows that belong to the stream, as a domain of Tryton. */
  readonly domain?: readonly Wire[];
  /** Relations whose changes count as changes of the row, for incremental passes. */
  readonly touchedBy?: readonly string[];
  readonly firsts?: Readonly<Record<string, First>>;
  /** Where the party is whose roles the row shall carry: `id` when the row is the party, else a many2one. */
  readonly rolesAt?: string;
  /** Text fields of several lines, each also read and written as a list `<field>_lines`. */
  readonly lines?: readonly string[];
  /** Fields that hold the place of the row, from 1, in a list (`<many2one>.<one2many>`) of the record that owns it. */
  readonly positions?: Readonly<Record<string, string>>;
  readonly completions?: readonly Completion[];
  readonly buttons?: Readonly<Record<string, Button>>;
}

/** A sign that a party plays a role, such as being a supplier. One of them is enough. */
export interface Role {
  /** Categories that say so; a new party gets the first one. */
  readonly categories: readonly string[];
  /** Fields that say so when they differ from what every new party gets. */
  readonly fields: readonly string[];
  /** Models whose rows say so, each with the field that names the party. */
  readonly rows: Readonly<Record<string, string>>;
}

/** What the platform declares under `options`. */
export interface PlatformOptions {
  readonly roles?: Readonly<Record<string, Role>>;
  /** Beginnings of names of warnings that are confirmed without asking. Default: none, warnings reject the write. */
  readonly confirmWarnings?: readonly string[];
  /** How far behind the server's clock a pass is taken to end, for transactions that were still open then. Default 300. */
  readonly overlapSeconds?: number;
}

/** The options of a stream, as written in `platform.yaml`; the tests against a real Tryton read every stream. */
export function optionsOf(stream: Stream): StreamOptions & { readonly model: string } {
  const options = stream.options as unknown as StreamOptions;
  return { ...options, model: options.model ?? stream.name };
}
