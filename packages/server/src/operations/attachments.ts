import { ServiceError } from '@unified/contract';
import type { FileOf, OpenFile } from '@unified/engine';
import { type ContentDigest, digestOf, storeContent } from '@unified/store';
import { create as contentDisposition } from 'content-disposition';
import { type PartOfFile, partOf } from '../query/byte-range.ts';
import { matchesTag } from '../query/entity-tags.ts';
import { outsideAccess } from '../query/token-access.ts';
import { entityOfOperation, recordText } from './addressed-entity.ts';
import type { DataContext } from './context.ts';
import { getRecord } from './read-records.ts';

const JSON_TYPE = 'application/json';
const ANY_BYTES = 'application/octet-stream';
/** A media type (RFC 9110), in the characters that are allowed in a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ \t]*[\w-]+=("[ !#-[\]-~]*"|[\w!#$&^.+-]+))*$/;

type Request = Parameters<typeof getRecord>[0] & {
  readonly headers: { readonly Range?: string; readonly 'If-Range'?: string; readonly 'If-None-Match'?: string };
};

/** The fields of the record of a file that are used here. */
interface FileRecord extends FileOf {
  readonly id: string;
  readonly _deletedAt: string | null;
  readonly name: string;
  readonly contentType: string;
}

/** Returns the record or the bytes of its file, depending on what the client accepts; the record if it accepts both. */
export async function getAttachment(request: Request, context: DataContext) {
  const entity = entityOfOperation(context);
  const record: FileRecord = JSON.parse(await recordText(context.scope, entity, request.path.id));
  const type = entity.field.contentType && MEDIA_TYPE.test(record.contentType) ? record.contentType : ANY_BYTES;
  const accepted = context.accepts([JSON_TYPE, type, ANY_BYTES]);
  if (accepted === JSON_TYPE) {
    const answer = await getRecord(request, context);
    const Vary = answer.status === 304 ? 'Accept, Accept-Encoding' : 'Accept';
    return { ...answer, headers: { ...answer.headers, Vary } } as const;
  }
  if (!entity.field.url) throw outsideAccess('the file, which the field url leads to');
  if (accepted === undefined) throw notAcceptable([JSON_TYPE, type, ANY_BYTES]);
  const file = record._deletedAt === null ? await context.engine.openFile(context.scope, entity, record) : undefined;
  if (!file) throw contentNotFound(record);
  return bytesResponse(request, file, type, entity.field.name ? record.name : record.id);
}

function bytesResponse({ headers }: Request, file: OpenFile, type: string, name: string) {
  const { sizeBytes, sha256 } = file;
  const etag = `"${sha256}"`;
  const common = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'private, no-cache' };
  if (matchesTag(headers['If-None-Match'], etag)) return { status: 304, headers: common } as const;
  const isSame = headers['If-Range'] === undefined || headers['If-Range'] === etag;
  const part = partOf(isSame ? headers.Range : undefined, sizeBytes);
  return {
    status: part.isPart ? 206 : 200,
    type,
    body: file.open(part),
    headers: { ...common, ...fileHeaders(name), ...lengthHeaders(part, sizeBytes) },
  } as const;
}

/** A browser saves the bytes as a file and never runs them. */
function fileHeaders(name: string) {
  return {
    'Content-Disposition': contentDisposition((name || 'file').replaceAll(/[\p{Cc}\\/]/gu, '_')),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}

function lengthHeaders({ start, end, isPart }: PartOfFile, sizeBytes: number) {
  return {
    'Accept-Ranges': 'bytes',
    'Content-Length': String(end - start),
    ...(isPart && { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
  };
}

function notAcceptable(types: readonly string[]): ServiceError {
  const accepted = [...new Set(types)];
  const message = `This attachment is available as ${accepted.join(' or ')}. Accept one of them.`;
  return new ServiceError('SERVICE_NOT_ACCEPTABLE', message, { details: [{ accepted }] });
}

function contentNotFound({ _deletedAt }: FileRecord): ServiceError {
  const message =
    _deletedAt === null
      ? 'The bytes of this attachment are not stored here. Get it as application/json and follow its `url`.'
      : 'This attachment was deleted in the connected system, and its bytes with it.';
  return new ServiceError('SERVICE_CONTENT_NOT_FOUND', message);
}

/** Stores the file of a create; for a dry run, only computes its checksum. Throws SERVICE_NOT_SUPPORTED. */
export async function storeFile(
  { query }: { readonly query: Readonly<Record<string, unknown>> },
  bytes: AsyncIterable<Uint8Array>,
  context: Pick<DataContext, 'engine' | 'scope' | 'narrow' | 'operation'>,
): Promise<ContentDigest> {
  const { engine, scope } = context;
  await engine.checkTakesFiles(scope, entityOfOperation(context).name);
  return query.dryRun === true ? digestOf(bytes) : storeContent(scope, bytes);
}
