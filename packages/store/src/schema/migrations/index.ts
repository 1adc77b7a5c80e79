import type { Entity } from '@unified/contract';
import type pg from 'pg';
import type { SecretKey } from '../../secrets/secret-key.ts';
import { guard, TENANT_ROLE } from '../../sql/tenant-role.ts';
import { storedEntities } from '../../tables/derive-view.ts';
import { systemTables, tenantTables } from './001-system-tables.ts';
import { links } from './002-links.ts';
import { contents, contentTables } from './003-contents.ts';
import { rowProblems } from './004-row-problems.ts';
import { connections } from './005-connections.ts';
import { unresolvedFields } from './006-unresolved-fields.ts';
import { moveSchedules, schedules } from './007-schedules.ts';
import { names } from './008-names.ts';
import { writtenRecords } from './009-written-records.ts';
import { customFields, customTables } from './010-custom-fields.ts';
import { writtenCustomFields } from './011-written-custom-fields.ts';
import { identity, moveSecrets } from './012-identity.ts';
import { management } from './013-management.ts';
import { authorizations } from './014-authorizations.ts';
import { dataMappings, mappingTables } from './015-data-mappings.ts';
import { expectedVersions } from './016-expected-versions.ts';
import { pendingConnections } from './017-pending-connections.ts';
import { settingsForms } from './018-settings-forms.ts';
import { apiVersion } from './019-api-version.ts';
import { embeddedSessions } from './020-embedded-sessions.ts';
import { dataKeys } from './021-data-keys.ts';
import { tokenAccess } from './022-token-access.ts';
import { auditLog } from './023-audit-log.ts';
import { requestLog } from './024-request-log.ts';
import { tokenScopes } from './025-token-scopes.ts';
import { embedAttempts } from './026-embed-attempts.ts';
import { changeTimes } from './027-change-times.ts';
import { syncFailures } from './028-sync-failures.ts';
import { connectionMetadata } from './029-connection-metadata.ts';
import { serviceActor } from './030-service-actor.ts';
import { expiredChanges } from './031-expired-changes.ts';
import { fieldMappings, fieldMappingTables } from './037-field-mappings.ts';
import { webhooks } from './044-webhooks.ts';
import { traces } from './048-traces.ts';
import { systemCalls } from './049-system-calls.ts';
import { mcpAdministration } from './051-mcp-administration.ts';
import { toolCalls } from './052-tool-calls.ts';
import { systemPauses } from './053-system-pauses.ts';
import { thirdPartyServers } from './055-third-party-servers.ts';
import { secretsOfTokens } from './063-secrets-of-tokens.ts';
import { agentAuthorizations } from './066-agent-authorizations.ts';
import { earlierMappings } from './070-earlier-mappings.ts';
import { operators } from './076-operators.ts';
import { replaysOfWaitingEvents } from './080-replays-of-waiting-events.ts';
import { preparedChangesOfReplays } from './081-prepared-changes-of-replays.ts';
import { openIdSubjects } from './082-openid-subjects.ts';
import { requestCounts } from './083-request-counts.ts';
import { keptTokens } from './084-kept-tokens.ts';
import { oldestChanges } from './088-oldest-changes.ts';
import { ownerOfDistributedTables } from './093-owner-of-distributed-tables.ts';
import { lengthsOfSyncs } from './095-lengths-of-syncs.ts';
import { lengthsOfStreams } from './099-lengths-of-streams.ts';
import { changeLogBounds } from './100-change-log-bounds.ts';
import { fillLinks } from './fill-links.ts';

/** The context of a data migration. */
export interface MigrationContext {
  readonly entities: Readonly<Record<string, Entity>>;
  readonly key: SecretKey | undefined;
}

export interface Migration {
  readonly name: string;
  /** A migration that changes a column of a view drops that view here; it is created again afterwards. */
  readonly sql: string;
  /**
   * Runs after `sql` in the same transaction, for steps that SQL alone cannot do. Tables and columns of entities may be
   * missing.
   */
  readonly fill?: (client: pg.ClientBase, context: MigrationContext) => Promise<void>;
}

/** Written migrations in order; their order is their number. Never change one that was released. */
export const migrations: readonly Migration[] = [
  {
    name: 'system tables',
    sql: [
      systemTables,
      `grant usage on schema unified, data to ${TENANT_ROLE};`,
      ...tenantTables.map((table) => guard(`unified.${table}`, false)),
    ].join('\n'),
  },
  {
    name: 'links of lists',
    sql: `${links}\n${guard('unified.links', false)}`,
    fill: (client, { entities }) => fillLinks(client, storedEntities(entities)),
  },
  {
    name: 'contents',
    sql: [contents, ...contentTables.map((table) => guard(`unified.${table}`, false))].join('\n'),
  },
  { name: 'problems of rows', sql: `${rowProblems}\n${guard('unified.row_problems', false)}` },
  { name: 'connections', sql: connections },
  { name: 'fields of unresolved references', sql: unresolvedFields },
  { name: 'schedules', sql: schedules, fill: (client, { key }) => moveSchedules(client, key) },
  { name: 'names of tables', sql: names },
  { name: 'written records', sql: writtenRecords },
  {
    name: 'custom fields',
    sql: [customFields, ...customTables.map((table) => guard(`unified.${table}`, false))].join('\n'),
  },
  { name: 'written custom fields', sql: writtenCustomFields },
  { name: 'identity', sql: identity, fill: (client, { key }) => moveSecrets(client, key) },
  { name: 'management', sql: management },
  { name: 'authorizations', sql: authorizations },
  {
    name: 'data mappings',
    sql: [dataMappings, ...mappingTables.map((table) => guard(`unified.${table}`, false))].join('\n'),
  },
  { name: 'expected versions', sql: expectedVersions },
  { name: 'pending connections', sql: pendingConnections },
  { name: 'settings forms', sql: settingsForms },
  { name: 'API version', sql: apiVersion },
  { name: 'embedded sessions', sql: embeddedSessions },
  { name: 'data keys', sql: dataKeys },
  { name: 'access of tokens', sql: tokenAccess },
  { name: 'audit log', sql: auditLog },
  { name: 'request log', sql: requestLog },
  { name: 'scopes of tokens', sql: tokenScopes },
  { name: 'attempts to open embed sessions', sql: embedAttempts },
  { name: 'times of changes', sql: changeTimes },
  { name: 'failures of syncs', sql: syncFailures },
  { name: 'metadata of connections', sql: connectionMetadata },
  { name: 'the service as an actor', sql: serviceActor },
  { name: 'expired changes', sql: expiredChanges },
  {
    name: 'field mappings',
    sql: [fieldMappings, ...fieldMappingTables.map((table) => guard(`unified.${table}`, false))].join('\n'),
  },
  { name: 'webhooks', sql: webhooks },
  { name: 'administration of MCP', sql: mcpAdministration },
  { name: 'tool calls', sql: toolCalls },
  { name: 'pauses of systems', sql: systemPauses },
  { name: 'traces', sql: traces },
  { name: 'secrets of tokens', sql: secretsOfTokens },
  { name: 'third-party servers', sql: thirdPartyServers },
  { name: 'calls to systems', sql: systemCalls },
  { name: 'authorizations of agents', sql: agentAuthorizations },
  { name: 'earlier mappings', sql: earlierMappings },
  { name: 'operators', sql: operators },
  { name: 'replays of waiting events', sql: replaysOfWaitingEvents },
  { name: 'prepared changes of replays', sql: preparedChangesOfReplays },
  { name: 'openid subjects', sql: openIdSubjects },
  { name: 'request counts', sql: requestCounts },
  { name: 'kept tokens', sql: keptTokens },
  { name: 'oldest changes', sql: oldestChanges },
  { name: 'owner of distributed tables', sql: ownerOfDistributedTables },
  { name: 'lengths of syncs', sql: lengthsOfSyncs },
  { name: 'lengths of streams', sql: lengthsOfStreams },
  { name: 'bounds of change logs', sql: `${changeLogBounds}\n${guard('unified.change_log_bounds', false)}` },
];
