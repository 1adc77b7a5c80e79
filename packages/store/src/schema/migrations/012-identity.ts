import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { keyedHash, type SecretKey, seal, unseal } from '../../secrets/secret-key.ts';

/**
 * OAuth clients of applications with their credentials, and the tokens issued to them. An application begins with one client,
 * which has the same id.
 */
export const identity = `
create table unified.clients (
  id uuid primary key,
  "applicationId" uuid not null references unified.applications on delete cascade,
  name text not null,
  email text,
  "logoUrl" text,
  "darkLogoUrl" text,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index on unified.clients ("applicationId", id);
create unique index clients_by_email on unified.clients ("applicationId", lower(email));
insert into unified.clients (id, "applicationId", name, "createdAt")
  select id, id, name, "createdAt" from unified.applications;

create table unified.client_secrets (
  id uuid primary key,
  "clientId" uuid not null references unified.clients on delete cascade,
  name text,
  secret text not null,
  lookup text not null,
  hint text not null,
  "createdAt" timestamptz not null default now(),
  "lastUsedAt" timestamptz,
  "expiresAt" timestamptz,
  "revokedAt" timestamptz
);
create unique index on unified.client_secrets ("clientId", lookup);

create table unified.redirect_uris (
  id uuid primary key,
  "clientId" uuid not null references unified.clients on delete cascade,
  uri text not null,
  "createdAt" timestamptz not null default now()
);
create unique index redirect_uris_by_uri on unified.redirect_uris ("clientId", uri);

create table unified.token_families (
  id uuid primary key,
  "clientId" uuid not null references unified.clients on delete cascade,
  "connectionId" uuid references unified.connections on delete cascade,
  scope text not null,
  "tokenId" uuid not null,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null,
  "revokedAt" timestamptz
);
create index on unified.token_families ("clientId", "expiresAt");
create index on unified.token_families ("connectionId");

create table unified.refresh_tokens (
  hash text primary key,
  "familyId" uuid not null references unified.token_families on delete cascade,
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null,
  "usedAt" timestamptz
);
create index on unified.refresh_tokens ("familyId");

create table unified.authorization_codes (
  hash text primary key,
  "clientId" uuid not null references unified.clients on delete cascade,
  "connectionId" uuid not null references unified.connections on delete cascade,
  "redirectUri" text not null,
  challenge text,
  "familyId" uuid references unified.token_families on delete set null,
  "expiresAt" timestamptz not null,
  "usedAt" timestamptz
);
create index on unified.authorization_codes ("clientId", "expiresAt");
create index on unified.authorization_codes ("connectionId");
create index on unified.authorization_codes ("familyId");

create table unified.signing_keys (
  id uuid primary key,
  "publicKey" json not null,
  "privateKey" text not null,
  "createdAt" timestamptz not null default now()
);`;

/**
 * Moves the secrets of applications to their clients. A secret that was encrypted with another key cannot be moved: its
 * client needs a new one.
 */
export async function moveSecrets(client: pg.ClientBase, key: SecretKey | undefined): Promise<void> {
  if (key) {
    const { rows } = await client.query<{ id: string; secret: string }>(
      'select id, secret from unified.applications where split_part(secret, $1, 2) = $2',
      ['.', key.id],
    );
    for (const { id, secret } of rows) {
      const text = unseal(key, { table: 'applications', column: 'secret', row: id }, secret);
      const row = newId();
      await client.query(
        'insert into unified.client_secrets (id, "clientId", secret, lookup, hint) values ($1, $2, $3, $4, $5)',
        [
          row,
          id,
          seal(key, { table: 'client_secrets', column: 'secret', row }, text),
          keyedHash(key, 'client secrets', text),
          text.slice(-4),
        ],
      );
    }
  }
  await client.query('alter table unified.applications drop column secret');
}
