/** Statements that do not name one connection, by how they begin, as one line, and why. */
export const ACROSS_CONNECTIONS: readonly { readonly beginning: string; readonly reason: string }[] = [
  {
    beginning: 'delete from unified.idempotency where "expiresAt" <= now()',
    reason: 'The sweep removes expired keys.',
  },
  {
    beginning: 'with recursive queues as ( (select connection_id, seq, "nextAttemptAt" from unified.writes',
    reason: 'The sweep finds the connections whose queue is due, by an index of open writes.',
  },
  {
    beginning: 'select connection_id, "applicationId", "contentId" as key from unified.loose_contents',
    reason: 'The sweep finds files that no record refers to.',
  },
  {
    beginning: 'select connection_id, "applicationId", sha256 as key from unified.contents',
    reason: 'The sweep finds files whose digests are due to be checked.',
  },
  {
    beginning: 'update unified.connections connection set "nextSyncAt" = now() where platform = $1',
    reason: 'At its start, a worker makes the connections due that have not copied a new stream of their platform.',
  },
  {
    beginning: 'select distinct connection_id as id from unified.sync_streams where error is not null',
    reason: 'At its start, a worker finds the connections whose streams failed.',
  },
  {
    beginning: 'select id from unified.webhook_endpoints endpoint where endpoint."inactiveReason" is null',
    reason: 'The sweep finds the endpoints that have not received the newest changes of their connections.',
  },
  {
    beginning: 'select connection.id as "connectionId", coalesce(position.seq',
    reason: 'A delivery finds the connections of an application with changes that an endpoint has not received.',
  },
  {
    beginning: 'insert into unified.webhook_positions ("endpointId", "connectionId", seq) select',
    reason: 'A new endpoint begins at the end of the change log of each connection of its application.',
  },
  {
    beginning: 'with found as ( select changes.connection_id, min(changes.seq)',
    reason: 'A replay finds the changes of all connections of an application that an endpoint receives.',
  },
  {
    beginning: 'select connection.id, (select max("lastSuccessAt") from unified.sync_streams',
    reason: 'A page of connections shows the last failures of each.',
  },
  {
    beginning: 'with open as ( select w."createdAt" from unified.writes w',
    reason: 'The metrics count the open writes of all connections.',
  },
  {
    beginning: 'select distinct connection_id from data.parts',
    reason: 'A test checks that row-level security limits such a statement to one connection.',
  },
  {
    beginning: 'select from data.sold_gadgets',
    reason: 'A test checks that row-level security limits such a statement to one connection.',
  },
  {
    beginning: 'select connection_id from data.gadgets union all select connection_id from unified.changes',
    reason: 'A test checks that row-level security limits such a statement to one connection.',
  },
];
