export type { Bearer, Token } from './bearer.ts';
export type {
  ActionOptions,
  ActOptions,
  BatchItem,
  CallOptions,
  ChangeOptions,
  GetOptions,
  IfMatch,
  ListOptions,
  RecordOptions,
  SendOptions,
  WriteOptions,
  WriteRecord,
  Written,
} from './calls.ts';
export { type Client, type ClientOptions, createClient, type Legacy } from './client.ts';
export type { EntityName, Filter, Sort } from './conditions.ts';
export type { EntityRecord, Expandable, Reference } from './entity-record.ts';
export { etagOf } from './etag.ts';
export type { DownloadOptions, Files, Upload } from './files.ts';
export type { FollowOptions } from './follow.ts';
export type { Change, ChangeFollowing, FollowChangesOptions } from './follow-changes.ts';
export type * from './generated/bodies.ts';
export type { components, legacyPaths, operations, paths } from './generated/types.ts';
export type {
  Query,
  QueryColumn,
  QueryColumns,
  QueryMeta,
  QueryOptions,
  QueryParameter,
  QueryRow,
} from './query-rows.ts';
export type { Passthrough, PassthroughResult, Raw, RawFilter, RawRow, RawRowOptions, RawTable } from './raw.ts';
export type { ConditionalList, Page, PageMeta, RecordList } from './record-list.ts';
export { type ClientCode, ServiceError, type ServiceErrorCode } from './service-error.ts';
