import type { FileHandle } from 'node:fs/promises';

/**
 * A folder with the files of a connection: on this machine, in a bucket, or on an SFTP server. Every method throws `SystemError`.
 */
export interface FileFolder {
  /** Whether a file that is listed is complete, because it appears only when it was written. */
  readonly isAtomic: boolean;
  /** Checks that it exists, and may be read. */
  check(): Promise<void>;
  /** Its files, in any order. Those that must be looked up one by one have no state. */
  list(): Promise<FolderEntry[]>;
  /** A file as it is now. */
  find(name: string): Promise<SourceFile>;
  /** Opens a file as it was when it was looked up. The caller closes it. */
  open(file: SourceFile): Promise<OpenedFile>;
  close(): Promise<void>;
}

export interface FolderEntry {
  readonly name: string;
  readonly file?: SourceFile;
}

/** A file of a stream as it was when it was looked up. */
export interface SourceFile {
  readonly folder: FileFolder;
  readonly name: string;
  /** Where it is: for local files the absolute path without links. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Differs for each content, if the folder reports it. */
  readonly etag?: string;
}

export interface OpenedFile {
  /** Its content, from the beginning. Can be read once. */
  bytes(): AsyncIterable<Buffer>;
  /** The file, or a copy of it, for access at any position. Closed by `close`. */
  handle(): Promise<FileHandle>;
  close(): Promise<void>;
}
