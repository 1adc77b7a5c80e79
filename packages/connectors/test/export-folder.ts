import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../src/json.ts';
import type { Platform, Stream } from '../src/platform.ts';

/** A folder with exported files, which exists until `remove`. */
export interface ExportFolder {
  /** The folder that contains it: the value of `FILES_FOLDER`. */
  readonly root: string;
  readonly path: string;
  /** Writes a file that was last changed this number of seconds ago; 3600 by default. */
  put(name: string, content: string | Buffer, ageSeconds?: number): string;
  remove(): void;
}

export function createExportFolder(): ExportFolder {
  const root = mkdtempSync(join(tmpdir(), 'files-'));
  return {
    root,
    path: root,
    put(name, content, ageSeconds = 3600) {
      const path = join(root, name);
      writeFileSync(path, content);
      const changed = Date.now() / 1000 - ageSeconds;
      utimesSync(path, changed, changed);
      return path;
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** A stream of files. */
export function fileStream(name: string, options: Record<string, Json> = {}, rest: Partial<Stream> = {}): Stream {
  return { name, key: ['id'], order: 0, deletes: 'diff', pageSize: 100, options, ...rest };
}

/** A platform of files. */
export function filesPlatform(streams: readonly Stream[], options: Record<string, Json> = {}): Platform {
  return {
    ...{ id: 'exports', name: 'Exports', description: '', driver: 'files', secrets: [], mappings: {}, broken: [] },
    settings: { type: 'object', required: ['folder'], properties: { folder: { type: 'string' } } },
    ...{ identifiedBy: ['folder'], streams, options },
  };
}
