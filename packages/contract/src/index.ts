export type { components, operations as OperationTypes, paths, webhooks } from '../generated/types.ts';
export { type AccessProblem, accessProblem, type NamedAccess } from './access-problem.ts';
export { addressOf, dataPrefix, expandPath, recordAddress, templateOf } from './address.ts';
export { addressedWrites, WRITES } from './addressed-writes.ts';
export { AVAILABLE_ACTIONS, allowedActions } from './allowed-actions.ts';
export { clearedInput } from './cleared-input.ts';
export { isRelation, nameOf, referencedNames, resolve } from './component-references.ts';
export type { CustomFieldLimits } from './custom-field-limits.ts';
export { defineEntity } from './define-entity.ts';
export { apiVersion, clientDocument, type OpenApiDocument, servedDocument } from './document.ts';
export { earlierDocument } from './earlier-document.ts';
export { type EarlierVersion, earlierOperations, earlierVersion } from './earlier-version.ts';
export { type EntityName, entities, entityOf } from './entities.ts';
export type { Action, Entity, Field, FieldKind, Limits, ViewMember } from './entity.ts';
export { type ErrorCode, errorTable, ServiceError } from './error.ts';
export { ERROR_TABLE_PLACE, withErrorTable } from './error-table-text.ts';
export { firstField } from './first-field.ts';
export type {
  ConventionalId,
  CredentialIn,
  Events,
  Handler,
  Json,
  OperationIdIn,
  OwnHandlers,
  Request,
  RequestOf,
  Response,
  ResponseOf,
} from './handler.ts';
export type { MappedRecord, Reference } from './mapped-record.ts';
export { nearest } from './nearest.ts';
export type { CredentialKind, Deprecation, Method, Operation, OperationKind, Surface } from './operation.ts';
export { type CredentialOf, type OperationId, type OperationIdOf, operations, type SurfaceOf } from './operations.ts';
export { referredEntities } from './referred-entities.ts';
export { type RelatedField, relatedFields } from './related-fields.ts';
export { spokenName, withArticle } from './spoken-name.ts';
export { type ValidatorShard, validatorShards } from './validator-shards.ts';
