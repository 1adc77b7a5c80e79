import type { Driver, DriverPart } from './driver.ts';
import type { DriverOptions } from './driver-options.ts';
import type { Json } from './json.ts';
import type { SecretIssued } from './known-secrets.ts';
import type { TokenStore } from './oauth/token-store.ts';
import type { Platform, Stream } from './platform.ts';

/** Optional parts that drivers of type `D` have: the compiler derives them from `D`. */
export type PartsOf<D extends Driver> = {
  readonly [Part in DriverPart]: Part extends keyof D ? (undefined extends D[Part] ? boolean : true) : false;
};

/** What a driver reports outside of calls. */
export interface DriverEvents {
  /** A connection to the system broke. The call that used it, if any, also fails; the next call opens a new one. */
  connectionBroke?(error: Error): void;
}

/** What the caller of a driver does for it. */
export interface DriverHost extends DriverEvents {
  /** Keeps tokens that the system replaces. By default, they are lost at the end of the process. */
  readonly tokens?: TokenStore;
  /** Called with each secret that the system issues, such as a token, before it is sent: it is hidden in texts of the system. */
  readonly secretIssued?: SecretIssued;
}

/**
 * Bytes that a system may send to a driver, for systems that are not trusted yet. If it sends more, the call fails. Defaults to
 * the limits of the protocol.
 */
export interface DriverLimits {
  /** In one response, over HTTP. */
  readonly maxBodyBytes?: number;
  /** In total, from a database; in one file or one list of files, from a bucket or an SFTP server. */
  readonly maxReceivedBytes?: number;
}

/** A protocol for connected systems: the value of `driver` in a platform.yaml. */
export interface Protocol {
  /** What its drivers support in addition to reading. A platform or mapping that needs more is refused when it is loaded. */
  readonly parts: Readonly<Record<DriverPart, boolean>>;
  /** Whether `changes` reports deleted rows (`deletes: native` of a stream). */
  readonly nativeDeletes: boolean;
  /**
   * Parts of the protocol that are not available for a stream with these options on a platform with these options. If absent,
   * all are available.
   */
  without?(platform: Platform['options'], stream: Stream['options']): readonly DriverPart[];
  /** Why `without` names parts; absent, or undefined, if it names none. */
  withoutReason?(platform: Platform['options'], stream: Stream['options']): string | undefined;
  /** How streams are added to a connection. Absent if streams need options that only a platform can have. */
  readonly tables?: {
    /** Options of a stream that has the name of a table and reads all of its columns with single values. */
    readonly whole: Stream['options'];
    /** The options, changed so that the stream also reads these columns. */
    also(options: Stream['options'], columns: readonly string[]): Stream['options'];
  };
  /**
   * Columns that every table has, with the times at which a row was created and changed; the latter is empty until the first
   * one. Incremental passes of its drivers compare both, so the latter is a cursor. Absent if tables differ.
   */
  readonly times?: { readonly created: string; readonly updated: string };
  /** Names of the settings that determine who receives secrets, whatever the platform states about them. Default: none. */
  readonly recipients?: readonly string[];
  /** Options and settings that its drivers read. */
  readonly options: DriverOptions;
  /** Opens a session with a system of the platform. It connects lazily, so it does not throw if the system is unreachable. */
  open(platform: Platform, settings: Readonly<Record<string, Json>>, host?: DriverHost, limits?: DriverLimits): Driver;
}

/** A protocol whose drivers are of type `D`. Does not compile if `parts` differs from `D`. */
export interface ProtocolOf<D extends Driver> extends Protocol {
  readonly parts: PartsOf<D>;
  open(platform: Platform, settings: Readonly<Record<string, Json>>, host?: DriverHost, limits?: DriverLimits): D;
}

/** The parts of a protocol that remain with the options of the platform and of a stream. */
export function partsOf({ parts, without }: Protocol, options: Platform['options'], stream: Stream): Protocol['parts'] {
  const lacked = without?.(options, stream.options) ?? [];
  return { ...parts, ...Object.fromEntries(lacked.map((part) => [part, false])) };
}

/**
 * A required part, which exists because platforms and mappings that need missing parts are not loaded.
 *
 * @throws Error if the driver does not have it
 */
export function partOf<Part extends DriverPart>(driver: Driver, part: Part): NonNullable<Driver[Part]> {
  const found = driver[part];
  if (!found) throw new Error(`The driver has no ${part}.`);
  return found;
}
