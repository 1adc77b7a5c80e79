import { driverOptions } from '../driver-options.ts';
import type { Stream } from '../platform.ts';
import schema from './options.schema.json' with { type: 'json' };

/** How the text of CSV files is read. */
export interface TextOptions {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
}

/** `options` of a platform; see `options.schema.json`. */
export interface PlatformOptions extends TextOptions {
  readonly quietSeconds?: number;
}

/** `options` of a stream; see `options.schema.json`. */
export interface StreamOptions extends TextOptions {
  readonly file?: string;
  readonly files?: 'all' | 'newest';
  readonly format?: 'csv' | 'xlsx';
  readonly sheet?: string;
  readonly header?: number;
  readonly columns?: readonly string[];
}

/** Options of platforms and streams, checked by their schema. */
export const filesOptions = driverOptions<PlatformOptions, StreamOptions>(schema);

/** What is read for a stream: the options of the stream, with those of the platform as defaults. */
export interface FileSource extends Omit<StreamOptions, 'file' | 'files' | 'header'> {
  /** Name or pattern of its files. */
  readonly file: string;
  readonly isNewestOnly: boolean;
  /** Line or row of the names of the columns, or of the first row of data if `columns` are given. */
  readonly header: number;
  /** Columns of the key. */
  readonly key: readonly string[];
}

/** The source of a stream. @throws DefinitionError */
export function fileSource(stream: Stream, { quietSeconds: _, ...text }: PlatformOptions): FileSource {
  const { file = stream.name, files, header = 1, ...own } = filesOptions.stream(stream);
  return { ...text, ...own, file, isNewestOnly: files === 'newest', header, key: stream.key };
}
