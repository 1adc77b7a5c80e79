import type { Column, Discovery, Driver, StreamProbe } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform } from '../platform.ts';
import type { DriverHost, DriverLimits, ProtocolOf } from '../protocol.ts';
import { scalar } from '../scalar-type.ts';
import { fileCatalog } from './file-catalog.ts';
import { namesOfHeader } from './header-row.ts';
import { openFolder } from './open-folder.ts';
import { filesOptions } from './options.ts';
import { StreamFiles } from './stream-files.ts';

/** Reads files. They cannot be searched for changed rows, so every pass is full; `version` avoids passes over unchanged files. */
export type FilesDriver = Pick<Driver, 'check' | 'pull' | 'read' | 'close'> &
  Required<Pick<Driver, 'version' | 'origin'>> & { readonly discover: ListingDiscovery };

type ListingDiscovery = Discovery & Required<Pick<Discovery, 'catalog'>>;

/** CSV and XLSX files in a folder of the machine that the service runs on, in a bucket, or on an SFTP server. */
export const filesProtocol: ProtocolOf<FilesDriver> = {
  parts: { changes: false, writes: false, actions: false, contents: false, discover: true, passthrough: false },
  nativeDeletes: false,
  recipients: ['folder', 'endpoint', 'hostKey'],
  options: filesOptions,
  open: openFiles,
};

/** Opens a driver for a folder. Nothing is read until it is used. */
export function openFiles(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  _host?: DriverHost,
  { maxReceivedBytes }: DriverLimits = {},
): FilesDriver {
  const limits = maxReceivedBytes === undefined ? {} : { maxReceivedBytes };
  const files = new StreamFiles(openFolder(settings, limits), filesOptions.platform(platform));
  return {
    check: () => files.check(),
    pull: (request) => files.page(request),
    read: (stream, key) => files.row(stream, key),
    version: (stream) => files.version(stream),
    origin: ({ name, options }) => String(options.file ?? name),
    discover: discovery(files),
    close: () => files.close(),
  };
}

function discovery(files: StreamFiles): ListingDiscovery {
  const columns = async (stream: Parameters<Discovery['columns']>[0]): Promise<Column[]> =>
    namesOfHeader(await files.columns(stream)).map((name) => ({ name, type: 'text', scalar: scalar('string') }));
  return {
    catalog: fileCatalog(files),
    columns,
    async probe(stream): Promise<StreamProbe> {
      const { rows } = await files.page({ stream, from: null, limit: 1 });
      return { sample: rows[0] ?? null, problems: [], notes: [] };
    },
  };
}
