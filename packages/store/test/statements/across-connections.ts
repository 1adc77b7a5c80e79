/** Statements that do not name one connection, by how they begin, as one line, and why. */
export const ACROSS_CONNECTIONS: readonly { readonly beginning: string; readonly reason: string }[] = [
  {
    beginning: 'delete from unified.idempotency where "expiresAt" <= now()',
    reason: 'The sweep removes expired keys of all connections.',
  },
  {
    beginning: 'with recursive queues as ( (select connection_id, seq, "nextAttemptAt" from unified.writes',
    reason: 'The sweep finds the connections whose queue is due, by an index of open writes.',
  },
  {
    beginning: 'insert into unified.webhook_positions ("endpointId", "connectionId", seq) select',
    reason: 'A new endpoint begins at the end of the change log of each connection of its application.',
  },
  {
    beginning: 'select connection.id, (select max("lastSuccessAt") from unified.sync_streams',
    reason: 'A page of connections shows the last failures of each.',
  },
];
