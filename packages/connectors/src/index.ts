export type { Driver, Intent, PulledPage, PullRequest, RawRow, Row } from './driver.ts';
export type { Json } from './json.ts';
export { type CompileOptions, compileMapping } from './mapping/compile.ts';
export type {
  CompiledAction,
  CompiledMapping,
  ResolvedReference,
  WriteOperation,
  Written,
} from './mapping/mapping.ts';
export { DefinitionError } from './mapping/place.ts';
export type { DeleteDetection, OpenDriver, Platform, Stream } from './platform.ts';
export { openDriver, platformIds, platformOf } from './platforms.ts';
export { openBucket, type S3Bucket } from './s3/bucket.ts';
export { type S3Settings, s3Settings } from './s3/settings.ts';
export { settingsProblems } from './settings.ts';
export { SystemError, type SystemErrorKind } from './system-error.ts';
