// Type tests: `tsc` checks this file, and each `@ts-expect-error` is an error if the next line compiles.
import type { OwnHandlers, Request, Response } from '@unified/contract';
import type { Scope, Store } from '@unified/store';
import type {
  ApplicationPrincipal,
  Authenticators,
  ConnectionPrincipal,
  ConsolePrincipal,
  McpPrincipal,
} from '../src/http/authorization/authenticate.ts';
import type { Contexts, DataContext, DataEngine, SystemContext } from '../src/operations/context.ts';
import type { AnyHandler } from '../src/operations/handler-tables.ts';
import type { Services } from '../src/operations/handlers.ts';

type Own = OwnHandlers<Contexts>;
declare const answer: Response<'getWrite'>;
declare const healthy: Response<'getHealth'>;
declare const client: Response<'getClient'>;

// A handler has the context of the surface of its operation.
const getWrite: Own['data']['getWrite'] = async ({ path }, { engine, scope }) => {
  void [path.writeId, engine, scope];
  return answer;
};
const getHealth: Own['system']['getHealth'] = async (_request, { ping }) => {
  await ping();
  return healthy;
};
void [getWrite, getHealth];

// It cannot access another one.
const reachesStore: Own['data']['getWrite'] = async (_request, context) => {
  // @ts-expect-error a handler of the data API has no store, which holds the data of all connections
  void context.store;
  // @ts-expect-error nor the services of the system surface
  void context.ping;
  return answer;
};
const reachesOthers: Own['data']['getWrite'] = async (_request, { engine }) => {
  // @ts-expect-error a handler of the data API cannot end the jobs of another connection
  void engine.forgetJobs;
  // @ts-expect-error nor start its sync
  void engine.requestSync;
  // @ts-expect-error nor change the connections of an application
  void engine.connectionsOf;
  // @ts-expect-error nor stop the engine
  void engine.close;
  return answer;
};
const reachesData: Own['system']['getHealth'] = async (_request, context) => {
  // @ts-expect-error the server itself has no data
  void context.scope;
  return healthy;
};
const reachesConnection: Own['management']['getClient'] = async (_request, context) => {
  void [context.application, context.connections];
  // @ts-expect-error a handler of the Management API has no data of a connection
  void context.scope;
  // @ts-expect-error nor a store, which holds the data of all applications
  void context.store;
  return client;
};
const reachesTokens: Own['management']['getClient'] = async (_request, context) => {
  // @ts-expect-error nor the services of OAuth
  void context.grants;
  return client;
};
void [reachesStore, reachesOthers, reachesData, reachesConnection, reachesTokens];

// Every method of the engine that a handler of the data API can call takes a scope.
type Scoped = { readonly [Method in keyof DataEngine]: Parameters<DataEngine[Method]>[0] };
declare const given: Scoped;
void (given satisfies Readonly<Record<keyof DataEngine, Scope>>);

declare const inStore: (request: Request<'getWrite'>, context: { readonly store: Store }) => Promise<typeof answer>;
declare const inSystem: (request: Request<'getWrite'>, context: SystemContext) => Promise<typeof answer>;
declare const inServices: AnyHandler<Services>;
// @ts-expect-error this handler expects a store
void ({ getWrite: inStore } satisfies Partial<Own['data']>);
// @ts-expect-error this handler expects the context of another surface
void ({ getWrite: inSystem } satisfies Partial<Own['data']>);
// @ts-expect-error nor can a handler of a kind expect more than its surface has
void (inServices satisfies AnyHandler<DataContext>);

// Every kind of credential that a served operation accepts has an authenticator, and each proves its own principal.
declare const byConnection: () => Promise<ConnectionPrincipal>;
declare const byApplication: () => Promise<ApplicationPrincipal>;
declare const byUser: () => Promise<McpPrincipal>;
declare const bySession: () => Promise<ConsolePrincipal>;
const console = { consoleSession: bySession };
const all = { ...console, connectionToken: byConnection, adminToken: byApplication, personalAccessToken: byUser };
void (all satisfies Authenticators);
// @ts-expect-error the authenticator of connection tokens is missing
void ({ ...console, adminToken: byApplication, personalAccessToken: byUser } satisfies Authenticators);
// @ts-expect-error the authenticator of access tokens is missing
void ({ ...console, connectionToken: byConnection, personalAccessToken: byUser } satisfies Authenticators);
// @ts-expect-error the document has no such credential
void ({ ...all, password: byConnection } satisfies Authenticators);
// @ts-expect-error a token of an application proves no connection
void ({ ...all, adminToken: byConnection } satisfies Authenticators);
