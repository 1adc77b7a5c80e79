import type { Json } from './json.ts';
import type { DefinitionProblem } from './mapping/definition-error.ts';
import type { CompiledMapping } from './mapping/mapping.ts';

/**
 * How deleted rows of a stream are detected: the system reports them, a full pass finds that they are missing, or they are not
 * detected.
 */
export type DeleteDetection = 'native' | 'diff' | 'none';

/** One table, model or collection of a connected system. */
export interface Stream {
  /** Name within the platform, and `_source` of the records that are read from it. */
  readonly name: string;
  /** Columns or properties that identify a row, in order. */
  readonly key: readonly string[];
  /** Position in the platform. */
  readonly order: number;
  /** Column that increases with every change. Without it, all passes are full. */
  readonly cursor?: string;
  readonly deletes: DeleteDetection;
  /** Share of its rows in percent that no full pass deletes without confirmation; null is no limit. Default 50. */
  readonly deleteLimit?: number | null;
  /** Number of rows to request per page. */
  readonly pageSize: number;
  /** Options of the driver, as written in `platform.yaml`. */
  readonly options: Readonly<Record<string, Json>>;
  /** Set if the connection defines the stream: messages for its users can name its table and columns. */
  readonly isCustom?: true;
}

/** One kind of business system: how to reach it, what to read from it, and how its rows are mapped. All of it is data. */
export interface Platform {
  /** Name of its folder. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly description: string;
  /** Protocol, a key of `protocols`. */
  readonly driver: string;
  /** JSON Schema of a connection's settings; secret ones have `writeOnly: true`. */
  readonly settings: Readonly<Record<string, Json>>;
  /** Names of the settings that must be kept secret. */
  readonly secrets: readonly string[];
  /** Names of the settings that identify a system, whatever its user. Defaults to the settings that are addresses. */
  readonly identifiedBy?: readonly string[];
  /** HTTP methods that passthrough may send. Defaults to GET; if empty, passthrough is not possible. */
  readonly passthrough?: readonly string[];
  /**
   * In the order of the files. A sync reads a stream after those that it refers to; streams in a cycle are read in this order.
   */
  readonly streams: readonly Stream[];
  /** By entity name. An entity that the system does not have, or whose mapping cannot be used, is absent. */
  readonly mappings: Readonly<Record<string, CompiledMapping>>;
  /** Options of the driver for the platform as a whole, as written in `platform.yaml`. */
  readonly options: Readonly<Record<string, Json>>;
  /** Mappings that cannot be used. Their records stay unchanged until the file is corrected; everything else works. */
  readonly broken: readonly BrokenMapping[];
}

/** A mapping file that cannot be used, with all its errors. */
export interface BrokenMapping {
  /** Entity that it is for, if the file or its name states it. */
  readonly entity: string;
  /** Stream that it names; null when it cannot be read. */
  readonly stream: string | null;
  readonly problems: readonly DefinitionProblem[];
}
