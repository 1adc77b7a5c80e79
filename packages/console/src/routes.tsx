import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { basePath } from './api/base-url.ts';
import { FaultPage } from './layout/fault-page.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { parseSearch, stringifySearch } from './layout/search-text.ts';
import { Shell } from './layout/shell.tsx';

/** The query of an address: texts by name, such as `filter[name:contains]`. */
export type Search = Readonly<Record<string, string>>;

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Search & SearchSchemaInput): Search => search,
});
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
});
const firstSignIn = createRoute({
  getParentRoute: () => root,
  path: '/first-sign-in',
  component: lazyRouteComponent(() => import('./session/first-sign-in-page.tsx'), 'FirstSignInPage'),
});
const openId = createRoute({
  getParentRoute: () => root,
  path: '/openid',
  component: lazyRouteComponent(() => import('./session/openid-page.tsx'), 'OpenIdPage'),
});
const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/start/start-page.tsx'), 'StartPage'),
});
const connections = createRoute({
  getParentRoute: () => shell,
  path: '/connections',
  component: lazyRouteComponent(() => import('./pages/connections/connections-page.tsx'), 'ConnectionsPage'),
});
const connection = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId',
  component: lazyRouteComponent(() => import('./pages/connections/connection-page.tsx'), 'ConnectionPage'),
});
const recordsIndex = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/records',
  component: lazyRouteComponent(() => import('./pages/records/records-index-page.tsx'), 'RecordsIndexPage'),
});
const records = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/records/$entity',
  component: lazyRouteComponent(() => import('./pages/records/records-page.tsx'), 'RecordsPage'),
});
const record = createRoute({
  getParentRoute: () => records,
  path: '/$recordId',
  component: lazyRouteComponent(() => import('./pages/records/record-panel.tsx'), 'RecordPanel'),
});
const writes = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/writes',
  component: lazyRouteComponent(() => import('./pages/writes/writes-page.tsx'), 'WritesPage'),
});
const write = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/writes/$writeId',
  component: lazyRouteComponent(() => import('./pages/writes/write-page.tsx'), 'WritePage'),
});
const query = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/query',
  component: lazyRouteComponent(() => import('./pages/query/query-page.tsx'), 'QueryPage'),
});
const mappings = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/mappings',
  component: lazyRouteComponent(() => import('./pages/mappings/mappings-page.tsx'), 'MappingsPage'),
});
const studio = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/mappings/$entity',
  component: lazyRouteComponent(() => import('./pages/mappings/studio-page.tsx'), 'StudioPage'),
});
const dataMappings = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$connectionId/data-mappings',
  component: lazyRouteComponent(() => import('./pages/data-mappings/data-mappings-page.tsx'), 'DataMappingsPage'),
});
const policy = createRoute({
  getParentRoute: () => shell,
  path: '/policy',
  component: lazyRouteComponent(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
});
const support = createRoute({
  getParentRoute: () => shell,
  path: '/support',
  component: lazyRouteComponent(() => import('./pages/support/support-page.tsx'), 'SupportPage'),
});
const approvals = createRoute({
  getParentRoute: () => shell,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const requests = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  component: lazyRouteComponent(() => import('./pages/activity/requests-page.tsx'), 'RequestsPage'),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/activity/audit-page.tsx'), 'AuditPage'),
});
const access = createRoute({
  getParentRoute: () => shell,
  path: '/access',
  component: lazyRouteComponent(() => import('./pages/access/access-page.tsx'), 'AccessPage'),
});
const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./session/sessions-page.tsx'), 'SessionsPage'),
});
const password = createRoute({
  getParentRoute: () => shell,
  path: '/password',
  component: lazyRouteComponent(() => import('./session/password-page.tsx'), 'PasswordPage'),
});
const operators = createRoute({
  getParentRoute: () => shell,
  path: '/operators',
  component: lazyRouteComponent(() => import('./session/operators-page.tsx'), 'OperatorsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    firstSignIn,
    openId,
    shell.addChildren([
      ...[start, connections, connection, recordsIndex, records.addChildren([record]), writes, write],
      ...[
        query,
        mappings,
        studio,
        dataMappings,
        approvals,
        policy,
        support,
        webhooks,
        requests,
        audit,
        access,
        sessions,
        password,
        operators,
      ],
    ]),
  ]),
  basepath: basePath,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: FaultPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
