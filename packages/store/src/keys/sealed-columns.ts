/** A column of encrypted texts. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL expression that identifies a row; each encrypted text is bound to it. */
  readonly row: string;
  /** The column with the keyed hash of the secret, and the purpose of that hash. */
  readonly lookup?: { readonly column: string; readonly purpose: string };
  /** A column with a keyed hash of part of the secret, which is computed again when it is null. */
  readonly derived?: string;
}

/** The purpose of the keyed hashes of client secrets. */
export const CLIENT_SECRETS = 'client secrets';

/** All columns with encrypted texts. A rotation of the data key encrypts their rows again. */
export const sealedColumns = [
  { table: 'authorization_codes', column: 'pending', row: 'hash' },
  { table: 'authorization_sessions', column: 'content', row: 'id::text' },
  { table: 'authorization_sessions', column: 'progress', row: 'id::text' },
  {
    table: 'client_secrets',
    column: 'secret',
    row: 'id::text',
    lookup: { column: 'lookup', purpose: CLIENT_SECRETS },
  },
  { table: 'connections', column: 'settings', row: 'id::text', derived: 'systemHash' },
  { table: 'kept_tokens', column: 'token', row: 'id::text' },
  { table: 'keyed_requests', column: 'response', row: `"applicationId" || ' ' || key` },
  { table: 'signing_keys', column: 'privateKey', row: 'id::text' },
  { table: 'third_party_servers', column: 'headers', row: 'id::text' },
  { table: 'webhook_endpoints', column: 'previousSecret', row: 'id::text' },
  { table: 'webhook_endpoints', column: 'secret', row: 'id::text' },
] as const satisfies readonly SealedColumn[];

type LocationIn<Column> = Column extends { readonly table: infer Table; readonly column: infer Name }
  ? { readonly table: Table; readonly column: Name; readonly row: string }
  : never;

/** Where an encrypted text is stored: in one of the `sealedColumns`. */
export type SealedLocation = LocationIn<(typeof sealedColumns)[number]>;
