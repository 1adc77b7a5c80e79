import type { Api, ApiRequest } from './api.ts';
import type { CallOptions, WriteOptions, WriteRecord } from './calls.ts';
import type { EntityRecord } from './entity-record.ts';
import type { components } from './generated/types.ts';
import { pathSegment } from './path-segment.ts';
import { outcome } from './write.ts';

/** The content of an upload: a file of up to 50 MB, and the fields of its attachment. */
export type Upload = components['schemas']['AttachmentUploadFields'] & {
  /** A stream is buffered before it is sent, so that the request can be repeated. */
  readonly file: Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;
};

export interface DownloadOptions extends CallOptions {
  /** Media type to accept. Defaults to any. */
  readonly accept?: string | undefined;
  /** Part of the file, such as `bytes=0-1023`. */
  readonly range?: string | undefined;
}

/** Calls for attachments in addition to those of their collection. */
export interface Files {
  /** Creates an attachment with a file. `name` and `contentType` default to those of a `File`. */
  upload<Later extends boolean = false>(
    upload: Upload,
    options?: WriteOptions<Later>,
  ): Promise<Later extends true ? WriteRecord : EntityRecord<'Attachment'>>;
  /** The file of an attachment as a `Response`: `arrayBuffer()`, `blob()`, `text()` or `body` return its bytes. */
  download(id: string, options?: DownloadOptions): Promise<Response>;
}

/** The calls for files of a collection, for example `/attachments`. */
export function files(api: Api, path: string): object {
  return {
    async upload({ file, ...fields }: Upload, options: WriteOptions = {}) {
      const body = new FormData();
      body.append('attachment', JSON.stringify(fields));
      body.append('file', await blobOf(file));
      return outcome(api, { method: 'post', path, body } satisfies ApiRequest, options);
    },
    async download(id: string, { accept = 'application/octet-stream', range, signal }: DownloadOptions = {}) {
      const headers = { Accept: accept, ...(range !== undefined && { Range: range }) };
      return api.fetch({ method: 'get', path: `${path}/${pathSegment(id)}`, headers, signal });
    },
  };
}

async function blobOf(file: Upload['file']): Promise<Blob> {
  if (file instanceof Blob) return file;
  return file instanceof ReadableStream ? new Response(file).blob() : new Blob([file as BlobPart]);
}
