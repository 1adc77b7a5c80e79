import type { Row } from '../driver.ts';
import type { Parameters } from './options.ts';

/** A call that changes something. Texts in braces stand for values of the key or of the request. */
export interface ChangeCall {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly envelope?: string;
  readonly body?: 'json' | 'form';
  readonly content?: Row;
  readonly add?: Row;
  readonly list?: string;
  readonly numbers?: 'number' | 'text';
  readonly products?: Readonly<Record<string, readonly string[]>>;
  readonly cleared?: 'null' | 'text' | 'false';
  readonly empty?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** A value that requests contain as a name and the system expects as a key. */
export interface ChoiceOptions {
  readonly address?: string;
  readonly parameters?: Parameters;
  readonly from: string;
  readonly key?: string;
  readonly label?: string;
}

/** How the row of a create is found if the response was lost or does not identify it. */
export interface CreatedOptions {
  readonly parameters?: Parameters;
  readonly marker?: string;
  readonly request?: string;
  readonly by?: string;
  readonly match?: readonly string[];
}

/** One of these ways to refuse a change of a row that another user changes at the same time. */
export interface LockOptions {
  readonly etag?: true;
  readonly property?: string;
}

export interface ActionOptions {
  readonly call?: ChangeCall;
  readonly values?: Row;
}

/** A list whose elements are identified by a property. */
export interface KeyedList {
  readonly key: string;
  readonly whole?: true;
  readonly products?: Readonly<Record<string, readonly string[]>>;
  readonly add?: Row;
  readonly names?: Readonly<Record<string, string>>;
}

/** `writes` of the options of a stream; see `options.schema.json`. */
export interface WriteOptions {
  readonly create?: ChangeCall;
  readonly update?: ChangeCall;
  readonly delete?: ChangeCall;
  readonly actions?: Readonly<Record<string, ActionOptions>>;
  readonly stored?: Readonly<Record<string, string>>;
  readonly created?: CreatedOptions;
  readonly choices?: Readonly<Record<string, ChoiceOptions>>;
  readonly lock?: LockOptions;
  readonly lists?: Readonly<Record<string, string | { readonly commands: true } | KeyedList>>;
  readonly integers?: readonly string[];
  readonly unsent?: readonly string[];
}
