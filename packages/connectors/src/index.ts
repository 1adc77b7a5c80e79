export { asSentence } from './as-sentence.ts';
export { type DraftedTable, draftMapping, type MappingDraft } from './draft/draft-mapping.ts';
export type { Proposal } from './draft/proposal.ts';
export { sampledTable } from './draft/sampled-table.ts';
export type {
  ChangedPage,
  ChangesRequest,
  Column,
  Discovery,
  Driver,
  Intent,
  KnownLists,
  PulledPage,
  PullRequest,
  RawRow,
  Row,
  RowActions,
  RowChanges,
  RowContents,
  RowWrites,
  StreamProbe,
  StreamUse,
  WriteOperation,
  WrittenTables,
} from './driver.ts';
export { ROW_KEY } from './driver.ts';
export { CONNECTION_CLOSED, type Explanation, type KnownExplanation, NO_RESPONSE } from './explanation.ts';
export { fetchImage, type Image } from './http/fetch-image.ts';
export { fetchJson } from './http/fetch-json.ts';
export type { Json } from './json.ts';
export { loadPlatform } from './load-platform.ts';
export { type CompileOptions, compileMapping } from './mapping/compile.ts';
export { customFieldFault } from './mapping/custom-fault.ts';
export {
  type CustomField,
  type CustomFields,
  type CustomTypes,
  type KnownCustomField,
  noCustomFields,
} from './mapping/custom-fields.ts';
export type { CustomFieldType, FieldDefinitions, MappingDefinition } from './mapping/definition.ts';
export { DefinitionError, type DefinitionProblem, problemLine } from './mapping/definition-error.ts';
export { keysAsTexts } from './mapping/keys-as-texts.ts';
export type {
  CompiledAction,
  CompiledMapping,
  ResolvedReference,
  Written,
} from './mapping/mapping.ts';
export { differingParts, type MappingParts } from './mapping/mapping-parts.ts';
export { type MissingColumn, missingColumns } from './mapping/missing-columns.ts';
export { namesOfPath } from './mapping/path.ts';
export type { ProblemReason, ValueProblem } from './mapping/problem.ts';
export { MAPPING_PARTS, type MappingChange, revisedDefinition } from './mapping/revised-definition.ts';
export type { SourcePath } from './mapping/source-paths.ts';
export { isSecretPath } from './mapping/source-paths.ts';
export {
  callForeignTool,
  type DescribedForeignTool,
  type ForeignResult,
  readForeignTools,
  type ThirdPartyAddress,
  ThirdPartyFailure,
} from './mcp/third-party-client.ts';
export { isFailedAddress } from './net/address-guard.ts';
export { type PrivateHosts, parsePrivateHosts } from './net/private-hosts.ts';
export type { TokenStore } from './oauth/token-store.ts';
export type {
  PassthroughRequest,
  PassthroughResponse,
  PassthroughStatement,
  SelectedRows,
} from './passthrough/passthrough.ts';
export { passthroughFault, type RequestFault } from './passthrough/request-fault.ts';
export type { BrokenMapping, DeleteDetection, Platform, Stream } from './platform.ts';
export { parseYaml, yamlInLine } from './platform-files.ts';
export {
  addPlatforms,
  type ExtendPlatform,
  openDriver,
  platformIds,
  platformOf,
  platformsVersion,
  type ReloadedPlatform,
  reloadPlatforms,
} from './platforms.ts';
export { type DriverEvents, type DriverHost, type DriverLimits, type Protocol, partOf } from './protocol.ts';
export { defaultTokenUrl } from './rest/options.ts';
export {
  type CustomStream,
  customStreamProblems,
  type RevisedMapping,
  revisePlatform,
  tableStream,
} from './revise-platform.ts';
export { openBucket, type S3Bucket } from './s3/bucket.ts';
export { type S3Settings, s3Settings } from './s3/settings.ts';
export {
  requiredSettings,
  type Setting,
  type SettingProblem,
  settingSentence,
  settingsOf,
  settingsProblems,
} from './settings.ts';
export type {
  CatalogPage,
  CatalogRequest,
  SystemCatalog,
  SystemColumn,
  SystemTable,
} from './system-catalog.ts';
export { isPermanent, SystemError, type SystemErrorKind } from './system-error.ts';
export { addressSettings, identifyingSettings, systemIdentity } from './system-identity.ts';
export { webhookAddressFault } from './webhooks/webhook-address.ts';
export {
  openWebhookClient,
  type SignedEvent,
  type WebhookClient,
  type WebhookResponse,
} from './webhooks/webhook-client.ts';
