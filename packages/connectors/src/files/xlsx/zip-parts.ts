import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { unusableFile } from '../file-failure.ts';
import type { OpenedFile, SourceFile } from '../file-folder.ts';

/** Limits of what a file may contain. Sheets of a million rows are far below them. */
const MOST_PARTS = 10_000;
const MOST_BYTES = 2 * 1024 ** 3;
/** A larger file may not be more than `HIGHEST_RATIO` times as large as it is compressed. */
const UNSUSPICIOUS_BYTES = 100 * 1024 ** 2;
const HIGHEST_RATIO = 200;

/** The parts of a ZIP file, by their names, which are never used as paths. */
export class ZipParts {
  readonly #name: string;
  readonly #opened: OpenedFile;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(name: string, opened: OpenedFile, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#name = name;
    this.#opened = opened;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** The caller closes it. @throws SystemError `rejected` if it is not a ZIP file, or larger than the limits when unpacked */
  static async open(file: SourceFile): Promise<ZipParts> {
    const { fromFdPromise } = await import('yauzl');
    const opened = await file.folder.open(file);
    try {
      const handle = await opened.handle();
      const zip = await fromFdPromise(handle.fd, { autoClose: false }).catch(() => {
        throw unusableFile(
          file.name,
          'is not an XLSX workbook, or it is incomplete. Save old workbooks (.xls) as .xlsx or CSV',
        );
      });
      return new ZipParts(file.name, opened, zip, await entriesOf(file, zip));
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  has(part: string): boolean {
    return this.#entries.has(part);
  }

  /** The bytes of a part. @throws SystemError if there is no such part, or it is damaged */
  async *bytes(part: string): AsyncGenerator<Buffer, void, void> {
    const entry = this.#entries.get(part);
    if (!entry) throw unusableFile(this.#name, `is not an XLSX workbook, because it contains no ${part}`);
    try {
      const stream: Readable = await this.#zip.openReadStreamPromise(entry);
      yield* stream as AsyncIterable<Buffer>;
    } catch {
      throw unusableFile(this.#name, `is damaged, or protected by a password: ${part} cannot be unpacked`);
    }
  }

  async close(): Promise<void> {
    await this.#opened.close();
  }
}

/** Checks the sizes that the file declares; unpacking more than that is an error. */
async function entriesOf({ name, sizeBytes }: SourceFile, zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MOST_PARTS) throw unusableFile(name, `contains more than ${MOST_PARTS} parts`);
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName, entry);
      bytes += entry.uncompressedSize;
    }
  } catch {
    throw unusableFile(name, 'is damaged: its list of parts cannot be read');
  }
  const isSuspicious = bytes > UNSUSPICIOUS_BYTES && bytes > HIGHEST_RATIO * sizeBytes;
  if (bytes > MOST_BYTES || isSuspicious) {
    const mib = Math.round(bytes / 1024 ** 2);
    throw unusableFile(
      name,
      `has ${mib} MiB when it is unpacked, which is more than an export needs. Export fewer rows`,
    );
  }
  return entries;
}
