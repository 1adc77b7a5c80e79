export type { ActionOptions, CallOptions, SendOptions, WriteOptions, WriteRecord } from './calls.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { EntityName, Filter, Sort } from './conditions.ts';
export type { FollowOptions } from './follow.ts';
export type { components, operations, paths } from './generated/types.ts';
export type { Page, RecordList } from './record-list.ts';
export { type ClientCode, ServiceError, type ServiceErrorCode } from './service-error.ts';
