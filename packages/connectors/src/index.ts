export type { Driver, Intent, PulledPage, PullRequest, RawRow, Row } from './driver.ts';
export type { Json } from './json.ts';
export type {
  CompiledAction,
  CompiledMapping,
  ResolvedReference,
  WriteOperation,
  Written,
} from './mapping/mapping.ts';
export type { DeleteDetection, OpenDriver, Platform, Stream } from './platform.ts';
export { SystemError, type SystemErrorKind } from './system-error.ts';
