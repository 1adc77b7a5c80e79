import {
  createApplication,
  createConnection,
  createEndCustomer,
  createMcpRole,
  createMcpUser,
  createPersonalAccessToken,
  type EndCustomerScope,
  endCustomerScope,
  type McpPreset,
  type Store,
} from '@unified/store';

/** A user of MCP with a role. */
export interface TestMcpUser {
  readonly applicationId: string;
  readonly customer: EndCustomerScope;
  readonly endCustomerId: string;
  readonly userId: string;
  readonly roleId: string;
  /** A personal access token. */
  readonly token: string;
  readonly tokenId: string;
}

export interface McpUserOptions {
  /** By default, a new application. */
  readonly applicationId?: string;
  /** The end customer of another user; by default, a new one. */
  readonly endCustomerId?: string;
  readonly email?: string;
  /** Platform of the role; `test` by default. */
  readonly platform?: string;
  readonly preset?: McpPreset;
  /** Fields that are hidden from the user; none by default. */
  readonly maskedFields?: string[];
  /** Settings of a connection to the platform, which is created for the end customer; if absent, none is created. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

let count = 0;

/** Creates a user with a role and a token. */
export async function mcpUser(store: Store, options: McpUserOptions = {}): Promise<TestMcpUser> {
  const { platform = 'test', preset = 'full', settings } = options;
  const applicationId = options.applicationId ?? (await createApplication(store, 'Tests')).id;
  const application = store.application(applicationId);
  const endCustomerId = options.endCustomerId ?? (await createEndCustomer(application, { name: 'Northwind' })).id;
  const customer = await endCustomerScope(application, endCustomerId);
  if (!customer) throw new Error('The application has no such end customer.');
  count += 1;
  const role = await createMcpRole(customer, {
    ...{ name: 'Clerk', slug: `clerk_${count}`, clientId: applicationId, platforms: [{ platform, preset }] },
    maskedFields: options.maskedFields ?? [],
  });
  const email = options.email ?? `user${count}@northwind.example`;
  const { id: userId } = await createMcpUser(customer, { email, roleId: role.id });
  const { id: tokenId, token } = await createPersonalAccessToken(customer, { userId });
  if (settings)
    await createConnection(store, { applicationId, platform, name: `MCP ${count}`, settings, endCustomerId });
  return { applicationId, customer, endCustomerId, userId, roleId: role.id, token, tokenId };
}
