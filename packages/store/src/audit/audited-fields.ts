/**
 * Fields that the audit log stores for each kind of object, before and after a change. Fields that are not listed, such as the
 * value of a secret or a token, are never stored. Of the `settings` of a connection, only those that its platform does not mark
 * as secret are stored.
 */
export const AUDITED_FIELDS = {
  access_request: ['userId', 'platform', 'tool', 'status', 'approvals', 'requiredApprovals', 'note', 'approver'],
  agent_authorization: ['userId', 'clientId', 'clientName', 'tokenId', 'expiresAt'],
  application: ['name', 'apiVersion'],
  client: ['name', 'email', 'logoUrl', 'darkLogoUrl'],
  company_credential: ['endCustomerId', 'platform', 'connectionId'],
  connection: [
    ...['platform', 'name', 'status', 'settings', 'changedSecrets', 'syncEveryMinutes', 'fullSyncEveryHours'],
    ...['deletedAt', 'forms', 'solutions', 'flowFolders', 'endCustomerId', 'metadata'],
  ],
  console_session: ['operatorId', 'method', 'address', 'expiresAt'],
  console_token: ['operatorId', 'sessionId', 'applicationId', 'connectionId', 'scopes', 'expiresAt'],
  data_mapping: ['connectionId', 'entity', 'cardinality', 'clientId', 'pairs'],
  embed: ['isActive', 'reason'],
  embed_session: ['clientId', 'endCustomerId', 'connectionId', 'platforms', 'origin', 'expiresAt'],
  embed_settings: ['fields'],
  embed_support_request: ['connectionId', 'subject', 'status'],
  end_customer: ['name', 'externalId'],
  field_mapping: ['connectionId', 'entity', 'revision', 'active', 'note', 'streams'],
  guardrails: ['callsPerHour', 'requiresConfirmation', 'maskedFields'],
  key: ['createdAt', 'masterKey', 'dataKeys', 'retired', 'resealed', 'unreadable'],
  log_retention: ['days'],
  mcp_role: ['endCustomerId', 'name', 'slug', 'description', 'isDefault', 'platforms', 'maskedFields'],
  mcp_user: ['endCustomerId', 'email', 'name', 'roleId', 'isActive'],
  operator: ['email', 'name', 'role', 'isActive', 'passwordChanged', 'linkExpiresAt'],
  personal_access_token: ['userId', 'name', 'hint', 'expiresAt'],
  platform_visibility: ['platforms'],
  redirect_uri: ['clientId', 'uri'],
  secret: ['clientId', 'name', 'expiresAt', 'revokedAt'],
  settings_form: ['title', 'schema'],
  setup_link: ['endCustomerId', 'platform', 'expiresAt', 'usedAt', 'connectionId'],
  support_request: ['connectionId', 'subject', 'status'],
  third_party_server: ['endCustomerId', 'name', 'prefix', 'url', 'isActive', 'approved', 'changedHeaders'],
  token: ['clientId', 'connectionId', 'name', 'expiresAt', 'scopes', 'access', 'revoked'],
  tool_policy: ['rules'],
  webhook_delivery: ['endpointId', 'eventId', 'event', 'status'],
  webhook_endpoint: [
    ...['url', 'events', 'entities', 'connectionIds', 'payload', 'isActive', 'inactiveReason', 'failingSince'],
    ...['previousSecretExpiresAt', 'replay'],
  ],
  whitelabel: ['productName', 'logoUrl', 'primaryColor', 'supportUrl', 'termsUrl'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A kind of object whose changes are recorded. */
export type AuditedKind = keyof typeof AUDITED_FIELDS;

/** The recorded fields of an object; null if there is no object. */
export function auditedFields(kind: AuditedKind, value: object | null): Readonly<Record<string, unknown>> | null {
  if (value === null) return null;
  const fields: readonly string[] = AUDITED_FIELDS[kind];
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
}
