import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addOperator, assignEndCustomer, savePolicySettings } from '@unified/store';
import { mcpUser, signIn } from '@unified/testing';
import { type Managing, managing } from './managing.ts';
import { connectMcpClient } from './mcp-client.ts';
import type { Company } from './served-company.ts';

interface Vendor {
  readonly id: string;
  readonly code: string;
}

/** What the pages of the console show of a company. */
export interface FurnishedConsole {
  readonly manage: Managing;
  /** A vendor that was changed, and whose next change an agent proposed. */
  readonly vendor: Vendor;
  /** The write that changed it. */
  readonly writeId: string;
  stop(): void;
}

/** Gives every page something to show: writes, revisions of a mapping, deliveries, operators and a proposal of an agent. */
export async function furnishConsole(company: Company, connectionId: string): Promise<FurnishedConsole> {
  const { baseUrl, store, applicationId } = company;
  const manage = managing(baseUrl, (await signIn(store, baseUrl, applicationId)).token);
  await manage('PATCH', `/connections/${connectionId}`, { name: 'Northwind Manufacturing' });
  await addOperator(store, { email: 'tomas@northwind.example', name: 'Tomas Berg', role: 'operator' });
  await addOperator(store, { email: 'lea@northwind.example', name: 'Lea Fontaine', role: 'viewer' });
  await reviseMapping(manage, connectionId);
  await manage('POST', `/connections/${connectionId}/data-mappings`, { entity: 'Vendor' });
  await manage('POST', '/support-requests', { subject: 'A write remains unknown', body: 'Since this morning.' });
  await manage('POST', `/connections/${connectionId}/token`, { name: 'Data warehouse', scopes: ['read'] });
  await manage('POST', `/connections/${connectionId}/token`, { name: 'Purchasing portal', expiresInDays: 90 });
  const receiver = await startReceiver();
  await registerEndpoint(manage, receiver.url);
  const { body } = await company.send<{ data: Vendor[] }>('/vendors?code=V-1001');
  const [vendor] = body.data;
  if (!vendor) throw new Error('The company has no vendor V-1001.');
  const writeId = await makeWrites(company, vendor);
  await propose(company, connectionId, vendor);
  return { manage, vendor, writeId, stop: () => receiver.stop() };
}

/** Stores a revision that differs from the active one. */
async function reviseMapping(manage: Managing, connectionId: string): Promise<void> {
  const path = `/connections/${connectionId}/field-mappings/Vendor`;
  const { fields } = await manage<{ fields: Readonly<Record<string, unknown>> }>('GET', path);
  const changed = { ...fields, description: 'firma', legalName: 'name1' };
  await manage('POST', path, { fields: changed, note: 'The legal name is the name of the vendor' });
}

/** A server that accepts every event. */
async function startReceiver() {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, stop: () => void server.close() };
}

/** Registers the address, and sends one event to it. */
async function registerEndpoint(manage: Managing, url: string): Promise<void> {
  const events = ['write.succeeded', 'write.failed'];
  const { endpoint } = await manage<{ endpoint: { id: string } }>('POST', '/webhook-endpoints', { url, events });
  await manage('POST', `/webhook-endpoints/${endpoint.id}/actions/test`);
}

/** Changes the vendor, and sends a vendor that the company refuses. Returns the write of the change. */
async function makeWrites(company: Company, { id, code }: Vendor): Promise<string> {
  const headers = { Prefer: 'respond-async' };
  const change = { method: 'PATCH', headers, json: { terms: 'Net 45', notes: 'Delivers on Fridays' } };
  const { body } = await company.send<{ writeId: string }>(`/vendors/${id}`, change);
  await company.send('/vendors', { method: 'POST', headers, json: { code, name: 'Second of its code' } });
  return body.writeId;
}

/** An agent proposes a change of the vendor, which needs an approval. */
async function propose({ store, applicationId, baseUrl }: Company, connectionId: string, { id }: Vendor) {
  const agent = await mcpUser(store, { applicationId, platform: 'sandbox' });
  await assignEndCustomer(store, connectionId, agent.endCustomerId);
  await savePolicySettings(agent.customer, {
    rules: [{ tool: 'update_*', effect: 'ask', name: 'Changes are checked' }],
  });
  const { call } = await connectMcpClient({ baseUrl, publicUrl: store.publicUrl, credentials: agent });
  const body = { terms: 'Net 21', leadTimeDays: 9 };
  const { isError, text } = await call('propose', {
    ...{ platform: 'sandbox', tool: 'update_vendor', arguments: { id, body } },
  });
  if (isError) throw new Error(text);
}
