import type { Row } from '../driver.ts';
import { type DriverOptions, driverOptions } from '../driver-options.ts';
import { DefinitionError } from '../mapping/definition-error.ts';
import type { Platform, Stream } from '../platform.ts';
import type { SystemErrorKind } from '../system-error.ts';
import { changesProblems } from './changes-problems.ts';
import type { DeletedOptions } from './deleted-rows.ts';
import { failureProblems } from './failure-problems.ts';
import { isObject } from './json-body.ts';
import { listProblems } from './list-problems.ts';
import type { ListInRows } from './lists-in-rows.ts';
import schema from './options.schema.json' with { type: 'json' };
import type { StatementOptions } from './query-statement.ts';
import type { WriteOptions } from './write-options.ts';
import { writesProblems } from './writes-problems.ts';

export type Parameters = Readonly<Record<string, string | number | boolean>>;

/** A header that carries a secret, after a text such as `token `. */
export interface SecretHeader {
  readonly name: string;
  readonly prefix?: string;
  /** A text with settings in braces, instead of the token. */
  readonly value?: string;
}

/** A login that returns a token or sets cookies. */
export interface SessionLogin {
  readonly address: string;
  /** Names of properties in the body of the login. */
  readonly user: string;
  readonly password: string;
  /** Where the response contains the token. If absent, the response sets cookies. */
  readonly token?: string;
  readonly header?: SecretHeader;
}

/** A client that requests access tokens in its own name. */
export interface ClientCredentialsOptions {
  /** An address, or a path below that of the system. */
  readonly tokenUrl?: string;
  readonly sentIn?: 'header' | 'form';
  readonly scope?: string;
  /** Further parameters, with settings in braces. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** One of these ways to authenticate. */
export interface Authentication {
  readonly header?: SecretHeader;
  readonly basic?: true;
  readonly bearer?: true;
  readonly session?: SessionLogin;
  readonly refreshToken?: { readonly tokenUrl: string };
  readonly clientCredentials?: ClientCredentialsOptions;
}

/** Who issues the access tokens of a system that is called with renewed ones; undefined for other systems. */
export function tokenIssuer({
  refreshToken,
  clientCredentials,
}: Authentication): { readonly tokenUrl?: string } | undefined {
  return refreshToken ?? clientCredentials;
}

/** The address of the system. */
export interface BaseOptions {
  readonly choice?: {
    readonly setting: string;
    readonly addresses: Readonly<Record<string, string>>;
    readonly otherwise: string;
  };
  readonly path?: string;
}

/** Where a body contains messages: at a path, or in the properties `text` of a text with JSON. */
export type MessagePlace = string | { readonly json: string; readonly text: string };

/** How a status is reported. */
export interface FailureOptions {
  readonly kind?: SystemErrorKind;
  readonly messages?: readonly MessagePlace[];
  readonly codes?: { readonly path: string; readonly kinds: Readonly<Record<string, SystemErrorKind>> };
}

/** How a body reports a failure: by a value at a path, or by one other than those of a success. */
export type FailedBy = string | { readonly path: string; readonly unless: readonly (string | number | boolean)[] };

/** `options` of a platform; see `options.schema.json`. */
export interface PlatformOptions {
  readonly authentication: Authentication;
  readonly base?: BaseOptions;
  readonly check: string | { readonly address: string; readonly content: Row };
  readonly headers?: Readonly<Record<string, string>>;
  readonly failedBy?: FailedBy;
  readonly failures?: Readonly<Record<string, FailureOptions>>;
  readonly retryAfter?: { readonly header: string; readonly as: 'seconds' | 'epoch' };
  readonly overlapSeconds?: number;
}

/** The parameter for the number of rows per page. */
export interface PageSize {
  readonly parameter: string;
  readonly most?: number;
}

/** Where a response contains the total number of rows: a path in the body, or a header. */
export type TotalPlace = string | { readonly header: string };

/** One of these ways to read a list page by page. */
export interface Paging {
  readonly offset?: {
    readonly parameter: string;
    readonly first?: 0 | 1;
    readonly size: PageSize;
    readonly total?: TotalPlace;
  };
  readonly pages?: {
    readonly parameter: string;
    readonly size?: PageSize;
    readonly first?: 0 | 1;
    readonly total?: TotalPlace;
  };
  readonly next?: { readonly path?: string; readonly size?: PageSize };
  readonly token?: { readonly path: string; readonly parameter: string; readonly size?: PageSize };
}

/** Lists within the rows of a body, whose elements are the rows of the stream. */
export interface ElementOptions {
  readonly path: string;
  readonly as?: string;
}

export interface ListOptions {
  readonly address: string;
  readonly parameters?: Parameters;
  readonly content?: Row;
  readonly statement?: StatementOptions;
  readonly rows?: string;
  readonly leftOutIfEmpty?: true;
  readonly paging?: Paging;
  readonly elements?: ElementOptions;
  readonly fromBody?: Readonly<Record<string, string>>;
}

export interface DetailOptions {
  readonly address: string;
  readonly parameters?: Parameters;
  readonly content?: Row;
  readonly statement?: StatementOptions;
  readonly row?: string;
  readonly leftOutIfEmpty?: true;
  readonly elements?: true;
  readonly each?: true;
}

export interface ParentOptions {
  readonly stream?: string;
  readonly of?: readonly (string | Readonly<Record<string, string>>)[];
  readonly as: string | readonly string[];
  readonly without?: readonly number[];
}

export interface ChangesOptions {
  readonly parameter: string;
  readonly value?: string;
  readonly json?: true;
  readonly format?: string;
}

/** `options` of a stream; see `options.schema.json`. */
export interface StreamOptions {
  readonly list: ListOptions;
  readonly detail?: DetailOptions;
  readonly parents?: ParentOptions;
  readonly changes?: ChangesOptions;
  readonly deleted?: DeletedOptions;
  readonly lists?: Readonly<Record<string, ListInRows>>;
  readonly omit?: readonly string[];
  readonly falseIsNull?: { readonly except: readonly string[] };
  readonly columns?: readonly string[];
  readonly writes?: WriteOptions;
}

/**
 * Options of platforms and streams, checked by their schema and by `failureProblems`, `changesProblems`, `listProblems` and
 * `writesProblems`.
 */
export const restOptions = checkedTogether(
  driverOptions<PlatformOptions, StreamOptions>(schema, {
    // The platform states the address.
    unneeded: ({ base }) => (isObject(base) && base.choice ? ['url'] : []),
  }),
);

type RestOptions = DriverOptions<PlatformOptions, StreamOptions>;

function checkedTogether(options: RestOptions): RestOptions {
  return {
    ...options,
    platform(platform) {
      const given = options.platform(platform);
      const streams = platform.streams.map((stream) => ({ stream, options: options.stream(stream, platform.id) }));
      const problems = [
        ...failureProblems(platform.id, given),
        ...[changesProblems, listProblems, writesProblems].flatMap((of) => of(platform.id, streams)),
      ];
      if (problems.length > 0) throw new DefinitionError(problems);
      return given;
    },
  };
}

/**
 * Where a platform states that access tokens are issued: an address, or a path below that of the system.
 *
 * @throws DefinitionError
 */
export function defaultTokenUrl(platform: Platform): string | undefined {
  if (platform.driver !== 'rest') return undefined;
  return tokenIssuer(restOptions.platform(platform).authentication)?.tokenUrl;
}

/** The options of a stream. @throws DefinitionError */
export function optionsOf(stream: Stream): StreamOptions {
  return restOptions.stream(stream);
}
