import { driverOptions } from '../driver-options.ts';
import type { SystemErrorKind } from '../system-error.ts';
import type { NumberForm } from './exact-values.ts';
import schema from './options.schema.json' with { type: 'json' };

/** The `options` of a stream; see `options.schema.json`. */
export interface StreamOptions {
  readonly set?: string;
  readonly select?: readonly string[];
  readonly expand?: readonly string[];
  readonly filter?: string;
  readonly changedBy?: readonly string[];
  readonly marker?: string;
  readonly match?: readonly string[];
  readonly within?: { readonly set: string; readonly list: string };
  readonly unsent?: readonly string[];
  readonly update?: 'PATCH' | 'MERGE' | 'PUT';
}

/** What the platform declares under `options`. */
export interface PlatformOptions {
  readonly below?: string;
  readonly clientCredentials?: { readonly sentIn?: 'header' | 'form' };
  readonly paging?: 'keys' | 'links';
  readonly none?: readonly string[];
  readonly errors?: Readonly<Record<string, SystemErrorKind>>;
  readonly decimals?: NumberForm;
  readonly overlapSeconds?: number;
}

/** Options of platforms and streams, checked by their schema. */
export const odataOptions = driverOptions<PlatformOptions, StreamOptions>(schema);
