import type { PulledPage, PullRequest, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { incompleteFile } from './file-failure.ts';
import type { FileFolder, SourceFile } from './file-folder.ts';
import { columnsOf } from './file-rows.ts';
import { type HeaderRow, namesOfHeader } from './header-row.ts';
import { likelyHeader } from './likely-header.ts';
import { openedOnce } from './opened-once.ts';
import { type FileSource, fileSource, type PlatformOptions } from './options.ts';
import { QuietFiles } from './quiet-files.ts';
import { RowCursor } from './row-cursor.ts';
import { entriesIn, sourceFiles, versionOf } from './source-files.ts';

const QUIET_SECONDS = 30;

/** Number of rows in a sample. */
const SAMPLE = 200;

/** The files of a stream at one time. */
interface FoundFiles {
  readonly source: FileSource;
  readonly files: readonly SourceFile[];
  readonly version: string;
}

interface Sample {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  /** Line of the names. */
  readonly header: number;
}

/** Reads the files of one connection. A pass continues in the file that it left open until `close`. */
export class StreamFiles {
  readonly #folder: FileFolder;
  readonly #options: PlatformOptions;
  readonly #quietSeconds: number;
  readonly #quiet: QuietFiles;
  /** The last sample: a draft needs the same one several times. */
  #sampled: { readonly file: string; readonly version: string; readonly sample: Sample } | undefined;
  /** By stream, between two pages. */
  readonly #cursors = new Map<string, RowCursor>();

  constructor(folder: FileFolder, options: PlatformOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#quietSeconds = options.quietSeconds ?? QUIET_SECONDS;
    this.#quiet = new QuietFiles(this.#quietSeconds);
  }

  /** Checks that the folder exists, and may be read. */
  check(): Promise<void> {
    return this.#folder.check();
  }

  /** Names of the files in the folder. */
  async names(): Promise<string[]> {
    return (await entriesIn(this.#folder)).map(({ name }) => name);
  }

  /** The columns and the first rows of the last file with a name or pattern. A file that was written just now is also read. */
  async sample(file: string): Promise<Sample> {
    const { files, source, version } = await this.#find(unkeyed(file));
    const last = files.at(-1);
    if (!last) return { names: [], rows: [], header: 1 };
    if (this.#sampled?.file === file && this.#sampled.version === version) return this.#sampled.sample;
    const opened = openedOnce(last, source);
    try {
      const sample = await sampleOf(opened.file, source);
      this.#sampled = { file, version, sample };
      return sample;
    } finally {
      await opened.close();
    }
  }

  /** A text that differs after every change to the files of a stream. */
  async version(stream: Stream): Promise<string> {
    return (await this.#find(stream)).version;
  }

  /** The columns of the last file. The others must have the same ones. */
  async columns(stream: Stream): Promise<HeaderRow> {
    return this.#whileUnchanged(stream, async ({ source, files }) => {
      const last = files.at(-1);
      return last ? columnsOf(last, source) : [];
    });
  }

  /** One page of all rows. If the files were changed after the page before, it begins again with the first row. */
  async page(request: PullRequest): Promise<PulledPage> {
    const { stream, from } = request;
    return (
      (await this.#nextPage(request)) ??
      this.#whileUnchanged(stream, async (found) => {
        const start = rowAt(from, found.version);
        return this.#pageAt(await this.#cursorAt(stream, found, start), start, request);
      })
    );
  }

  /**
   * The page after the last one, from the file that it left open: the files need to be looked up only once, after it was read.
   * Null if they have changed, or if no file was left open.
   */
  async #nextPage(request: PullRequest): Promise<PulledPage | null> {
    const { stream, from } = request;
    const kept = this.#cursors.get(stream.name);
    const start = kept ? rowAt(from, kept.version) : 0;
    if (!kept || start === 0 || kept.at > start) return null;
    this.#cursors.delete(stream.name);
    const [result] = await Promise.allSettled([this.#pageAt(kept, start, request)]);
    if ((await this.version(stream)) !== kept.version) return null;
    if (result.status === 'fulfilled') return result.value;
    throw result.reason;
  }

  /** A page from a row on. The cursor stays open if there are more rows. */
  async #pageAt(cursor: RowCursor, start: number, { stream, limit, signal }: PullRequest): Promise<PulledPage> {
    try {
      await cursor.moveTo(start, signal);
      const { rows, hasMore } = await cursor.page(limit);
      if (!hasMore) await cursor.close();
      else await this.#keep(stream, cursor);
      return { rows, next: hasMore ? { version: cursor.version, row: cursor.at } : null };
    } catch (error) {
      await cursor.close();
      throw error;
    }
  }

  /** The last row with a key, as a pass leaves it; null if there is none. Reads all files. */
  async row(stream: Stream, key: string): Promise<Row | null> {
    return this.#whileUnchanged(stream, async ({ source, files, version }) => {
      const cursor = new RowCursor(files, source, version);
      let last: Row | null = null;
      for (;;) {
        const { rows, hasMore } = await cursor.page(stream.pageSize);
        last = rows.findLast((row) => row.key === key)?.row ?? last;
        if (!hasMore) return last;
      }
    });
  }

  async close(): Promise<void> {
    const cursors = [...this.#cursors.values()];
    this.#cursors.clear();
    await Promise.all(cursors.map((cursor) => cursor.close()));
    await this.#folder.close();
  }

  async #find(stream: Stream): Promise<FoundFiles> {
    const source = fileSource(stream, this.#options);
    const files = await sourceFiles(this.#folder, source);
    return { source, files, version: versionOf(source, files) };
  }

  /**
   * Reads files that are complete. What was read is dropped if they changed in the meantime, and so is a fault that was found in
   * them.
   *
   * @throws SystemError `unavailable` in this case
   */
  async #whileUnchanged<T>(stream: Stream, read: (found: FoundFiles) => Promise<T>): Promise<T> {
    const found = await this.#find(stream);
    this.#quiet.check(found.files);
    const [result] = await Promise.allSettled([read(found)]);
    if ((await this.version(stream)) !== found.version) {
      const name = found.source.file;
      throw incompleteFile(
        name,
        'was changed while it was read. It is read again from the beginning',
        this.#quietSeconds,
      );
    }
    if (result.status === 'fulfilled') return result.value;
    throw result.reason;
  }

  /** A cursor at a row or before it. */
  async #cursorAt(stream: Stream, { files, source, version }: FoundFiles, row: number): Promise<RowCursor> {
    const kept = this.#cursors.get(stream.name);
    this.#cursors.delete(stream.name);
    if (kept && kept.version === version && kept.at <= row) return kept;
    await kept?.close();
    return new RowCursor(files, source, version);
  }

  async #keep(stream: Stream, cursor: RowCursor): Promise<void> {
    const other = this.#cursors.get(stream.name);
    this.#cursors.set(stream.name, cursor);
    await other?.close();
  }
}

async function sampleOf(file: SourceFile, given: FileSource): Promise<Sample> {
  const header = await likelyHeader(file, given);
  const source = { ...given, header };
  const names = namesOfHeader(await columnsOf(file, source));
  const cursor = new RowCursor([file], source, '');
  try {
    const { rows } = await cursor.page(SAMPLE);
    return { names, rows: rows.map(({ row }) => row), header };
  } finally {
    await cursor.close();
  }
}

/** The row where a pass continues; 0 if it began with other files. */
function rowAt(from: Json | null, version: string): number {
  if (from === null || typeof from !== 'object' || !('row' in from) || from.version !== version) return 0;
  return Number(from.row);
}

/** A stream of files whose key is not known yet. */
function unkeyed(file: string): Stream {
  return { name: file, key: [], order: 0, deletes: 'none', pageSize: SAMPLE, options: { file } };
}
