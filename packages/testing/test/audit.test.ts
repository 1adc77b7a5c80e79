import { hash } from 'node:crypto';
import { operations } from '@unified/contract';
import { addSandboxPlatform } from '@unified/sandbox';
import { createAgentRequest, grantAgentRequest, redeemAgentCode } from '@unified/store';
import { api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCompany } from '../../sandbox/test/company-database.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

addSandboxPlatform();

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly requestId: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}
interface Created {
  readonly id: string;
  readonly secret?: string;
  readonly token?: string;
}
interface Body {
  readonly data: Created & { readonly endpoint?: Created } & readonly Entry[];
  readonly meta: { readonly next_cursor: string | null };
}
interface Call {
  readonly path: string;
  readonly json?: object;
  /** Id of the object in the entry; defaults to the id in the response. */
  readonly target?: string;
  readonly action: string;
}

let api: TestApi;
let app: TestApplication;
let system: { readonly url: string; stop(): Promise<void> };
let database: pg.Client;
let count = 0;

beforeAll(async () => {
  system = await startCompany();
  api = await startApi({ rateLimits: { token: 1_000_000 } });
  app = await api.signIn(api.connection.applicationId);
  database = new pg.Client(api.url);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await api.stop();
  await system.stop();
});

/** The id of an authorization of an agent, which its user has granted with a token. */
async function authorizedAgent(tokenId: string): Promise<string> {
  const [clientId, redirectUri, verifier] = [
    'https://editor.example/client.json',
    'http://127.0.0.1/cb',
    'v'.repeat(43),
  ];
  const challenge = hash('sha256', verifier, 'base64url');
  const asked = { clientId, clientName: 'Editor', redirectUri, challenge, state: null, browser: 'browser' };
  const id = await createAgentRequest(api.store, asked);
  const code = await grantAgentRequest(api.store, id, { tokenId });
  expect(await redeemAgentCode(api.store, { clientId, redirectUri, verifier, code: code ?? '' })).not.toBeNull();
  return id;
}

const send = (method: string, path: string, json?: unknown, requestId = 'setup', token = app.token) =>
  api.fetch<Body>(/^\/(api|v1)\//.test(path) ? path : `/v4${path}`, {
    ...{ method, token, headers: { 'X-Request-Id': requestId }, ...(json !== undefined && { json }) },
  });
const next = (name: string) => `${name} ${++count}`;
const created = async (path: string, json: object) => {
  const { status, body } = await send('POST', path, json);
  expect(status).toBe(201);
  return body.data;
};
const entriesOf = async (query: string) => (await send('GET', `/audit?${query}`)).body.data;

const client = async () => {
  const name = next('client');
  return (await created('/clients', { name, email: `${name.replace(' ', '')}@northwind.example` })).id;
};
const connection = async () => (await api.connect({ applicationId: app.applicationId })).connectionId;
const mappedConnection = async () =>
  (await api.connect({ applicationId: app.applicationId, ...sandbox() })).connectionId;
const uri = () => `https://portal.northwind.example/${++count}`;
const mapping = async () => {
  const path = `/connections/${await connection()}/data-mappings`;
  const { id } = await created(path, { entity: 'Vendor' });
  return { id, path: `${path}/${id}` };
};
const sandbox = () => ({
  ...{ platform: 'sandbox', name: next('sandbox'), settings: { url: system.url, schema: 'erp' } },
  allowDuplicate: true,
});

const customer = async () => {
  const { id } = await created('/end-customers', { name: next('customer') });
  return { id, path: `/end-customers/${id}` };
};
const role = async () => {
  const path = `${(await customer()).path}/roles`;
  const { body } = await send('POST', path, { name: 'Clerk' });
  const { id } = (body as unknown as { mcpRole: { id: string } }).mcpRole;
  return { path: `${path}/${id}`, target: id };
};
const user = async () => {
  const path = `${(await customer()).path}/users`;
  const { id } = await created(path, { email: 'eva@northwind.example' });
  const { token = '' } = await created(`${path}/${id}/tokens`, {});
  return { path: `${path}/${id}`, target: id, token };
};

const FORM = { title: 'Defaults', schema: { type: 'object', properties: { site: { type: 'string' } } } };
const settingsForm = async () => {
  const id = `form${++count}`;
  expect((await send('PUT', `/embed/settings-forms/${id}`, FORM)).status).toBe(200);
  return id;
};

/** Nothing listens at this address, so a test event fails immediately. */
const HOOK = { url: 'http://127.0.0.1:9/', events: ['record.updated'] };
const webhookEndpoint = async () => (await created('/webhook-endpoints', HOOK)).endpoint?.id ?? '';

/** A call of each operation that changes something. */
const calls: Readonly<Record<string, () => Promise<Call>>> = {
  createConnection: async () => ({ path: '/connections', json: sandbox(), action: 'connection.create' }),
  updateConnection: async () => {
    const { id } = await created('/connections', sandbox());
    const url = new URL(system.url);
    url.searchParams.set('sslmode', 'disable');
    return {
      path: `/connections/${id}`,
      json: { settings: { url: url.href } },
      target: id,
      action: 'connection.update',
    };
  },
  deleteConnection: async () => {
    const id = await connection();
    return { path: `/connections/${id}`, target: id, action: 'connection.delete' };
  },
  restoreConnection: async () => {
    const id = await connection();
    expect((await send('DELETE', `/connections/${id}`)).status).toBe(204);
    return { path: `/connections/${id}/actions/restore`, target: id, action: 'connection.restore' };
  },
  purgeConnection: async () => {
    const id = await connection();
    return { path: `/connections/${id}/permanent`, target: id, action: 'connection.purge' };
  },
  setConnectionActive: async () => {
    const id = await connection();
    return {
      path: `/connections/${id}/active`,
      json: { isActive: false },
      target: id,
      action: 'connection.deactivate',
    };
  },
  createConnectionToken: async () => ({
    ...{ path: `/connections/${await connection()}/token`, json: { expiresInDays: 1 } },
    ...{ action: 'token.create', target: expect.any(String) as string },
  }),
  revokeConnectionToken: async () => {
    const path = `/connections/${await connection()}/token`;
    const { id } = await created(path, {});
    return { path: `${path}s/${id}`, target: id, action: 'token.revoke' };
  },
  startDataMapping: async () => ({
    ...{ path: `/connections/${await connection()}/data-mappings`, json: { entity: 'Item' } },
    action: 'data_mapping.start',
  }),
  setDataMappingCardinality: async () => {
    const { id, path } = await mapping();
    return { path, json: { cardinality: 'many_to_many' }, target: id, action: 'data_mapping.set_cardinality' };
  },
  stopDataMapping: async () => {
    const { id, path } = await mapping();
    return { path, target: id, action: 'data_mapping.stop' };
  },
  replaceDataMappingEntries: async () => {
    const { id, path } = await mapping();
    const entries = [{ serviceId: id, externalValue: 'E-1' }];
    return { path: `${path}/entries`, json: { entries }, target: id, action: 'data_mapping.replace_entries' };
  },
  saveFieldMapping: async () => {
    const id = await mappedConnection();
    const path = `/connections/${id}/field-mappings/Vendor`;
    return { path, json: { fields: { description: null } }, target: id, action: 'field_mapping.save' };
  },
  activateFieldMappingRevision: async () => {
    const id = await mappedConnection();
    const path = `/connections/${id}/field-mappings/Vendor`;
    await created(path, { fields: { description: null } });
    return { path: `${path}/revisions/1/actions/activate`, target: id, action: 'field_mapping.activate' };
  },
  replaceCustomStreams: async () => {
    const id = await mappedConnection();
    const company = new pg.Client(system.url);
    await company.connect();
    await company.query('create table if not exists erp.price_zone (id int primary key)');
    await company.end();
    const json = { streams: [{ name: 'price_zone', key: ['id'] }] };
    return { path: `/connections/${id}/custom-streams`, json, target: id, action: 'field_mapping.replace_streams' };
  },
  registerClient: async () => ({
    ...{ path: '/clients', json: { name: 'Portal', email: `portal${++count}@northwind.example` } },
    action: 'client.create',
  }),
  updateClient: async () => {
    const id = await client();
    return { path: `/clients/${id}`, json: { name: 'Renamed' }, target: id, action: 'client.update' };
  },
  createClientSecret: async () => ({
    ...{ path: `/clients/${await client()}/secrets`, json: { name: 'Production' } },
    action: 'secret.create',
  }),
  revokeClientSecret: async () => {
    const path = `/clients/${await client()}/secrets`;
    const { id } = await created(path, {});
    return { path: `${path}/${id}`, target: id, action: 'secret.revoke' };
  },
  addRedirectUri: async () => ({
    ...{ path: `/clients/${await client()}/redirect-uris`, json: { uri: uri() } },
    action: 'redirect_uri.create',
  }),
  replaceRedirectUri: async () => {
    const path = `/clients/${await client()}/redirect-uris`;
    const { id } = await created(path, { uri: uri() });
    return { path: `${path}/${id}`, json: { uri: uri() }, target: id, action: 'redirect_uri.replace' };
  },
  deleteRedirectUri: async () => {
    const path = `/clients/${await client()}/redirect-uris`;
    const { id } = await created(path, { uri: uri() });
    return { path: `${path}/${id}`, target: id, action: 'redirect_uri.delete' };
  },
  replaceWhitelabel: async () => {
    const id = await client();
    return { path: `/clients/${id}/whitelabel`, json: { productName: 'P' }, target: id, action: 'whitelabel.replace' };
  },
  clearWhitelabel: async () => {
    const id = await client();
    await send('PUT', `/clients/${id}/whitelabel`, { productName: 'P' });
    return { path: `/clients/${id}/whitelabel`, target: id, action: 'whitelabel.clear' };
  },
  setLogRetention: async () => {
    const id = await client();
    return { path: `/clients/${id}/log-retention`, json: { days: 7 }, target: id, action: 'log_retention.set' };
  },
  compatCreateConnection: async () => {
    const { platform, settings } = sandbox();
    // The operation refuses a system that is already connected.
    const connected = (await send('GET', '/connections?platform=sandbox&per_page=500')).body.data;
    for (const { id } of connected) await send('DELETE', `/connections/${id}`);
    return { path: '/api/system/connections', json: { platform, settings }, action: 'connection.create' };
  },
  createEmbedSession: async () => {
    const origin = 'https://embedding.northwind.example';
    await send('POST', `/clients/${app.clientId}/redirect-uris`, { uri: `${origin}/${++count}` });
    return { path: '/embed/sessions', json: { endCustomerId: app.clientId, origin }, action: 'embed_session.create' };
  },
  compatCreateEmbedSession: async () => {
    await send('POST', `/clients/${app.clientId}/redirect-uris`, { uri: uri() });
    const json = { endCustomerId: app.clientId };
    return { path: '/v1/embed/session', json, target: expect.any(String) as string, action: 'embed_session.create' };
  },
  saveEmbedSettings: async () => {
    const [id, form] = [await connection(), await settingsForm()];
    await send('PUT', `/connections/${id}/forms`, { forms: [form] });
    const path = `/connections/${id}/embed/settings`;
    return { path, json: { values: { [`${form}.site`]: 'Berlin' } }, target: id, action: 'embed_settings.save' };
  },
  setEmbedKillSwitch: async () => ({
    ...{ path: '/embed/kill-switch', json: { isActive: false }, target: app.applicationId },
    action: 'embed.reopen',
  }),
  disconnectEmbed: async () => {
    const id = await connection();
    return { path: `/connections/${id}/embed/disconnect`, target: id, action: 'connection.disconnect' };
  },
  updateApplication: async () => {
    const target = app.applicationId;
    await send('PATCH', '/application', { apiVersion: 'v3' });
    return { path: '/application', json: { apiVersion: 'v4' }, target, action: 'application.update' };
  },
  setConnectionForms: async () => {
    const [id, form] = [await connection(), await settingsForm()];
    return { path: `/connections/${id}/forms`, json: { forms: [form] }, target: id, action: 'connection.set_forms' };
  },
  setConnectionSolutions: async () => {
    const id = await connection();
    const path = `/connections/${id}/solutions`;
    return { path, json: { solutions: ['planning'] }, target: id, action: 'connection.set_solutions' };
  },
  setConnectionFlowFolders: async () => {
    const id = await connection();
    const path = `/connections/${id}/flow-folders`;
    return { path, json: { folders: ['orders'] }, target: id, action: 'connection.set_flow_folders' };
  },
  saveSettingsForm: async () => {
    const id = `form${++count}`;
    return { path: `/embed/settings-forms/${id}`, json: FORM, target: id, action: 'settings_form.save' };
  },
  deleteSettingsForm: async () => {
    const id = await settingsForm();
    return { path: `/embed/settings-forms/${id}`, target: id, action: 'settings_form.delete' };
  },
  createEmbedSupportRequest: async () => ({
    ...{ path: '/embed/support-requests', json: { subject: 'S', body: 'B' } },
    action: 'embed_support_request.create',
  }),
  updateEmbedSupportRequest: async () => {
    const { id } = await created('/embed/support-requests', { subject: 'S', body: 'B' });
    const path = `/embed/support-requests/${id}`;
    return { path, json: { status: 'answered' }, target: id, action: 'embed_support_request.update' };
  },
  registerWebhookEndpoint: async () => ({
    ...{ path: '/webhook-endpoints', json: HOOK },
    action: 'webhook_endpoint.create',
  }),
  updateWebhookEndpoint: async () => {
    const target = await webhookEndpoint();
    const path = `/webhook-endpoints/${target}`;
    return { path, json: { isActive: false }, target, action: 'webhook_endpoint.update' };
  },
  deleteWebhookEndpoint: async () => {
    const target = await webhookEndpoint();
    return { path: `/webhook-endpoints/${target}`, target, action: 'webhook_endpoint.delete' };
  },
  replayWebhooks: async () => {
    const target = await webhookEndpoint();
    const json = { since: '2026-11-20T00:00:00Z' };
    return { path: `/webhook-endpoints/${target}/actions/replay`, json, target, action: 'webhook_endpoint.replay' };
  },
  rotateWebhookSecret: async () => {
    const target = await webhookEndpoint();
    const path = `/webhook-endpoints/${target}/actions/rotate-secret`;
    return { path, target, action: 'webhook_endpoint.rotate_secret' };
  },
  testWebhookEndpoint: async () => ({
    path: `/webhook-endpoints/${await webhookEndpoint()}/actions/test`,
    action: 'webhook_delivery.test',
  }),
  createSupportRequest: async () => ({
    ...{ path: '/support-requests', json: { subject: 'S', body: 'B' } },
    action: 'support_request.create',
  }),
  createEndCustomer: async () => ({
    path: '/end-customers',
    json: { name: next('customer') },
    action: 'end_customer.create',
  }),
  updateEndCustomer: async () => {
    const { id, path } = await customer();
    return { path, json: { name: 'Renamed' }, target: id, action: 'end_customer.update' };
  },
  deleteEndCustomer: async () => {
    const { id, path } = await customer();
    return { path, target: id, action: 'end_customer.delete' };
  },
  createMcpRole: async () => ({
    ...{ path: `${(await customer()).path}/roles`, json: { name: 'Clerk' }, action: 'mcp_role.create' },
    target: expect.any(String) as string,
  }),
  updateMcpRole: async () => {
    const { path, target } = await role();
    return { path, json: { name: 'Renamed' }, target, action: 'mcp_role.update' };
  },
  deleteMcpRole: async () => ({ ...(await role()), action: 'mcp_role.delete' }),
  createMcpUser: async () => ({
    ...{ path: `${(await customer()).path}/users`, json: { email: 'a@northwind.example' }, action: 'mcp_user.create' },
  }),
  updateMcpUser: async () => {
    const { path, target } = await user();
    return { path, json: { isActive: false }, target, action: 'mcp_user.update' };
  },
  deleteMcpUser: async () => {
    const { path, target } = await user();
    return { path, target, action: 'mcp_user.delete' };
  },
  createPersonalAccessToken: async () => ({
    ...{ path: `${(await user()).path}/tokens`, json: { name: 'Laptop' }, action: 'personal_access_token.create' },
  }),
  revokePersonalAccessToken: async () => {
    const path = `${(await user()).path}/tokens`;
    const { id } = await created(path, {});
    return { path: `${path}/${id}`, target: id, action: 'personal_access_token.revoke' };
  },
  revokeAgentAuthorization: async () => {
    const { path } = await user();
    const id = await authorizedAgent((await created(`${path}/tokens`, {})).id);
    return { path: `${path}/agent-authorizations/${id}`, target: id, action: 'agent_authorization.revoke' };
  },
  setPlatformVisibility: async () => {
    const { id, path } = await customer();
    const json = { platforms: ['tryton'] };
    return { path: `${path}/platform-visibility`, json, target: id, action: 'platform_visibility.set' };
  },
  setCompanyCredential: async () => {
    const { id, path } = await customer();
    const json = { settings: sandbox().settings };
    return { path: `${path}/credentials/sandbox`, json, target: `${id} sandbox`, action: 'company_credential.set' };
  },
  deleteCompanyCredential: async () => {
    const { id, path: base } = await customer();
    const path = `${base}/credentials/sandbox`;
    expect((await send('PUT', path, { settings: sandbox().settings })).status).toBe(200);
    return { path, target: `${id} sandbox`, action: 'company_credential.delete' };
  },
  createSetupLink: async () => ({
    ...{ path: `${(await customer()).path}/setup-links`, json: { platform: 'tryton' }, action: 'setup_link.create' },
  }),
  revokeSetupLink: async () => {
    const path = `${(await customer()).path}/setup-links`;
    const { id } = await created(path, { platform: 'tryton' });
    return { path: `${path}/${id}`, target: id, action: 'setup_link.revoke' };
  },
  registerThirdPartyServer: async () => ({
    ...{ path: `${(await customer()).path}/servers`, json: { name: 'Weather', url: 'http://127.0.0.1:1' } },
    action: 'third_party_server.create',
  }),
  updateThirdPartyServer: async () => {
    const path = `${(await customer()).path}/servers`;
    const { id } = await created(path, { name: 'Weather', url: 'http://127.0.0.1:1' });
    return { path: `${path}/${id}`, json: { isActive: false }, target: id, action: 'third_party_server.update' };
  },
  deleteThirdPartyServer: async () => {
    const path = `${(await customer()).path}/servers`;
    const { id } = await created(path, { name: 'Weather', url: 'http://127.0.0.1:1' });
    return { path: `${path}/${id}`, target: id, action: 'third_party_server.delete' };
  },
  setToolPolicy: async () => {
    const { id, path } = await customer();
    const json = { rules: [{ tool: 'delete_*', effect: 'deny' }] };
    return { path: `${path}/tool-policy`, json, target: id, action: 'tool_policy.set' };
  },
  setGuardrails: async () => {
    const { id, path } = await customer();
    return { path: `${path}/guardrails`, json: { callsPerHour: 5 }, target: id, action: 'guardrails.set' };
  },
  decideAccessRequest: async () => {
    const { path, token } = await user();
    const json = { platform: 'tryton', tool: 'list_vendors' };
    const { id } = (await send('POST', '/mcp/access-requests', json, 'setup', token)).body.data;
    const [base] = path.split('/users/');
    const decision = { decision: 'approved' };
    return { path: `${base}/access-requests/${id}`, json: decision, target: id, action: 'access_request.approve' };
  },
};

/** Operations that read, although they have a body. */
const READING = ['draftFieldMapping', 'previewFieldMapping', 'replayToolPolicy', 'testFetchFieldMapping'];

/** Operations of the Management API that change something. */
const mutating = operations.filter(
  ({ id, surface, method }) => surface === 'management' && method !== 'get' && !READING.includes(id),
);

const TABLES = [
  ...['clients', 'client_settings', 'redirect_uris', 'connections', 'connection_tokens', 'support_requests'],
  ...['client_secrets', 'data_mappings', 'data_mapping_pairs', 'audit_entries', 'settings_forms'],
  ...['embed_support_requests', 'applications', 'webhook_endpoints', 'webhook_replays'],
  ...['field_mappings', 'active_field_mappings', 'custom_streams'],
  ...['end_customers', 'mcp_roles', 'mcp_users', 'personal_access_tokens', 'agent_authorizations'],
  ...['company_credentials', 'setup_links', 'access_requests', 'third_party_servers'],
];

/** Changes that consist of other changes, which are recorded as well. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'connection.purge': ['connection.deactivate'],
  'connection.disconnect': ['connection.deactivate'],
  'company_credential.set': ['connection.create'],
  'company_credential.delete': ['connection.delete'],
};

/** Hashes of the rows in all tables that the operations change. */
async function contents(): Promise<unknown> {
  const hashes = TABLES.map(
    (table) => `select '${table}' as name, md5(string_agg(t::text, ',' order by t::text)) from unified.${table} t`,
  );
  return (await database.query(hashes.join(' union all '))).rows;
}

it('calls every operation of the Management API that changes something', () => {
  expect(Object.keys(calls).toSorted()).toEqual(mutating.map(({ id }) => id).toSorted());
});

describe.each(mutating.map(({ id, method }) => ({ id, method: method.toUpperCase() })))('$id', ({ id, method }) => {
  it('records who has changed what, and by which request', async () => {
    const { path, json, action, target } = (await calls[id]?.()) ?? expect.fail('There is no call.');
    const { status, body } = await send(method, path, json, `walk-${id}`);
    expect(status).toBeLessThan(300);
    const entries = (await entriesOf('per_page=5')).filter(({ requestId }) => requestId === `walk-${id}`);
    expect(entries[0]).toMatchObject({
      ...{ actorType: 'application', actor: app.clientId, operation: id, requestId: `walk-${id}` },
      ...{ action, target: target ?? body.data.id ?? body.data.endpoint?.id, address: '127.0.0.1' },
    });
    const [entry] = entries;
    expect(entry?.before ?? entry?.after).not.toBeNull();
    expect(entry?.before).not.toEqual(entry?.after);
    expect(entries.slice(1).map((each) => each.action)).toEqual(PARTS[action] ?? []);
  });

  it('changes nothing if its transaction is killed', async () => {
    const { path, json } = (await calls[id]?.()) ?? expect.fail('There is no call.');
    const before = await contents();
    // Ends the database connection after the change and its entry, when the transaction is about to be committed.
    await database.query(`
      create or replace function kill() returns trigger language plpgsql security definer as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger killed after insert on unified.audit_entries deferrable initially deferred
        for each row execute function kill()`);
    const { status } = await send(method, path, json);
    await database.query('drop trigger killed on unified.audit_entries');
    expect(status).toBe(503);
    expect(await contents()).toEqual(before);
  });
});

describe('the audit log', () => {
  it('never contains a secret: not that of a system, a client or a token', async () => {
    const { id } = await created('/connections', sandbox());
    const { token } = await created(`/connections/${id}/token`, {});
    const { secret } = await created(`/clients/${await client()}/secrets`, {});
    const { rows } = await database.query('select * from unified.audit_entries');
    const stored = JSON.stringify(rows);
    for (const each of [token, secret, new URL(system.url).password, app.clientSecret]) {
      expect(each).toMatch(/.{8}/);
      expect(stored).not.toContain(each);
    }
    const [entry] = await entriesOf(`target=${id}`);
    expect(entry?.after).toMatchObject({ platform: 'sandbox', settings: { schema: 'erp' } });
  });

  it('names the secret settings that changed', async () => {
    const [entry] = await entriesOf('action=connection.update');
    expect(entry).toMatchObject({ before: { settings: { schema: 'erp' } }, after: { changedSecrets: ['url'] } });
  });

  it('is filtered by actor, action, target and time', async () => {
    const id = await client();
    await send('PATCH', `/clients/${id}`, { name: 'Filtered' });
    const [changed, made] = await entriesOf(`target=${id}`);
    expect([changed, made]).toMatchObject([
      { action: 'client.update', before: { name: expect.any(String) }, after: { name: 'Filtered' } },
      { action: 'client.create', before: null },
    ]);
    expect(await entriesOf(`target=${id}&action=client.create`)).toEqual([made]);
    expect(await entriesOf(`target=${id}&actor=nobody`)).toEqual([]);
    expect(await entriesOf(`target=${id}&since=${made?.at}`)).toEqual([changed]);
    expect(await entriesOf(`target=${id}&until=${changed?.at}`)).toEqual([made]);
    expect((await send('GET', '/audit?since=2026-02-30T00:00:00Z')).status).toBe(400);
  });

  it('is read in pages, or completely as JSON lines', async () => {
    const read: Entry[] = [];
    for (let cursor = ''; ; ) {
      const { data, meta } = (await send('GET', `/audit?per_page=7${cursor}`)).body;
      read.push(...data);
      if (meta.next_cursor === null) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    const headers = { Accept: 'application/x-ndjson' };
    const exported = await api.fetch<Buffer>('/v4/audit', { token: app.token, headers });
    expect(exported.headers.get('Content-Type')).toBe('application/x-ndjson');
    const lines = exported.body.toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(read);
    expect(read.map(({ id }) => id)).toEqual(
      read
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const refused = await api.fetch('/v4/audit', { token: app.token, headers: { Accept: 'text/csv' } });
    expect(refused.status).toBe(406);
  });

  it('exports more entries than it reads at a time', async () => {
    const { token, applicationId } = await api.signIn();
    await database.query(
      `insert into unified.audit_entries (id, "applicationId", "actorType", actor, action, target)
       select gen_random_uuid(), $1, 'operator', 'root', 'client.create', n from generate_series(1, 1001) n`,
      [applicationId],
    );
    const headers = { Accept: 'application/x-ndjson' };
    const { body } = await api.fetch<Buffer>('/v4/audit', { token, headers });
    const targets = body
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => Number(JSON.parse(line).target));
    expect(new Set(targets).size).toBe(1001);
  });

  it('has only the entries of the application, and those that concern all', async () => {
    const { token } = await api.signIn();
    expect((await send('GET', '/audit', undefined, 'setup', token)).body.data).toEqual([]);
  });
});
