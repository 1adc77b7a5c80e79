// The layers: imports run downwards only. docs/flow.md walks through them.
const layers = {
  contract: [],
  tracing: [],
  sdk: ['contract'],
  console: ['contract', 'sdk'],
  store: ['contract'],
  connectors: ['contract', 'tracing'],
  sandbox: ['contract', 'connectors'],
  engine: ['contract', 'store', 'connectors', 'tracing'],
  'connector-kit': ['contract', 'connectors', 'engine'],
  server: ['contract', 'store', 'connectors', 'engine', 'tracing'],
};

const downwards = Object.entries(layers).map(([layer, below]) => ({
  name: `${layer}-imports-downwards`,
  comment: `${layer} may import ${below.join(', ') || 'no other package'} only (tests may also use testing).`,
  severity: 'error',
  from: { path: `^packages/${layer}/`, pathNot: ['/test/', '\\.test\\.ts$', '/bench/'] },
  to: { path: '^packages/', pathNot: [layer, ...below].map((name) => `^packages/${name}/`) },
}));

const only = (name, modules, path) => ({
  name,
  severity: 'error',
  from: { path: '^(packages|scripts)/', pathNot: [...path, '/test/', '\\.test\\.ts$', '^scripts/bench/'] },
  to: { path: modules.map((module) => `node_modules/(\\.pnpm/)?(@types/)?${module}(@|/)`) },
});

export const options = {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: ['/dist/', '/generated/(console|docs)', '\\.types/'] },
  tsPreCompilationDeps: true,
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['import', 'types', 'default'],
    extensions: ['.ts', '.mjs', '.js', '.json'],
  },
};

export default {
  forbidden: [
    ...downwards,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-folders',
      comment: 'Imports between the folders of a package are not circular, types included.',
      severity: 'error',
      scope: 'folder',
      from: { path: ['^packages/server/'] },
      to: { circular: true },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'sdk-takes-types-only',
      severity: 'error',
      from: { path: '^packages/sdk/src/' },
      to: { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-generated-code-past-its-package',
      severity: 'error',
      from: { pathNot: ['^packages/contract/', '^packages/sdk/'] },
      to: { path: '^packages/contract/generated/' },
    },
    {
      name: 'the-sandbox-is-no-part-of-the-service',
      comment: 'Only scripts and tests import the sandbox company.',
      severity: 'error',
      from: { pathNot: ['^packages/sandbox/', '^scripts/', '/test/', '\\.test\\.ts$'] },
      to: { path: '^packages/sandbox/' },
    },
    {
      name: 'databases-need-no-http',
      comment: 'The driver for databases shares the checks of addresses with HTTP, and nothing else.',
      severity: 'error',
      from: { path: '^packages/connectors/src/(sql|net)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/connectors/(src/http|test)/' },
    },
    {
      name: 'no-vague-file-names',
      severity: 'error',
      from: {},
      to: { path: '^packages/.*/(utils?|common|helpers?|manager)(\\.|/)' },
    },
    only(
      'sql-only-in-store-and-the-sql-driver',
      ['knex', 'pg', 'mysql2'],
      ['^packages/store/', '^packages/connectors/src/sql/', '^packages/sandbox/'],
    ),
    only('express-only-at-the-edge', ['express', 'express-openapi-validator'], ['^packages/server/src/http/']),
    only('one-client-for-third-parties', ['undici'], ['^packages/connectors/src/http/']),
  ],
  options,
};
