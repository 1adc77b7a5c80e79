import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { settingNames } from '../../../scripts/settings.ts';

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const CHART = root('deploy/helm/unified');
/** A release of Kubernetes that the chart supports; Helm assumes an old one. */
const KUBERNETES = '1.31.0';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Pods {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly [Container]; readonly terminationGracePeriodSeconds?: number };
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas?: number;
    readonly template: Pods;
    readonly selector: Readonly<Record<string, string>> & { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

async function helm(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(root('.tools/helm'), [...args, '--kube-version', KUBERNETES]);
  return stdout;
}

const OWN_SECRET = ['--set', 'publicUrl=https://api.example.com', '--set', 'secret.name=own'];
const NEW_SECRET = [
  ...['--set', 'publicUrl=https://api.example.com'],
  ...[
    '--set',
    'secret.values.DATABASE_URL=postgres://unified@db.example/unified',
    '--set',
    'secret.values.UNIFIED_KEY=k',
  ],
];

async function rendered(...values: readonly string[]): Promise<Resource[]> {
  return loadAll(await helm('template', 'acme', CHART, ...values)) as Resource[];
}

function named(resources: readonly Resource[], kind: string, name: string): Resource {
  const found = resources.filter((each) => each.kind === kind && each.metadata.name === name);
  expect(found, `${kind} ${name}`).toHaveLength(1);
  return found[0] ?? expect.fail();
}

const containerOf = ({ spec }: Resource): Container => spec.template.spec.containers[0];

describe('the Helm chart', () => {
  test.each([
    ['with a Secret of your own', OWN_SECRET],
    ['with a Secret that it creates', NEW_SECRET],
  ])('passes the linter %s', async (_, values) => {
    expect(await helm('lint', '--strict', CHART, ...values)).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  test.each([
    ['without an address', ['--set', 'secret.name=own'], 'publicUrl'],
    ['without a Secret', ['--set', 'publicUrl=https://api.example.com'], 'secret'],
    ['with an unknown value', [...OWN_SECRET, '--set', 'api.replica=3'], 'replica'],
  ])('is refused %s', async (_, values, named) => {
    await expect(rendered(...values)).rejects.toThrow(named);
  });

  test.each(['api', 'worker'])('starts the role %s, and sends nothing to pods that are not ready', async (role) => {
    const resources = await rendered(...OWN_SECRET, '--set', `${role}.replicas=5`, '--set', 'drainSeconds=20');
    const deployment = named(resources, 'Deployment', `acme-${role}`);
    const container = containerOf(deployment);
    expect([deployment.spec.replicas, container.args]).toEqual([5, ['--role', role]]);
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'operator' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'operator' });
    const operator = container.ports?.find(({ name }) => name === 'operator')?.containerPort;
    expect(container.env).toContainEqual({ name: 'OPERATOR_PORT', value: `${operator}` });
    // The 35 seconds for open requests come after the drain.
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(20 + 35);
    expect(deployment.spec.template.metadata.labels).toMatchObject(deployment.spec.selector.matchLabels ?? {});
  });

  test('the Service and the disruption budget select the pods of the API only', async () => {
    const resources = await rendered(...OWN_SECRET);
    const labels = (role: string) => named(resources, 'Deployment', `acme-${role}`).spec.template.metadata.labels;
    const service = named(resources, 'Service', 'acme-api').spec;
    const { matchLabels } = named(resources, 'PodDisruptionBudget', 'acme-api').spec.selector;
    expect(labels('api')).toMatchObject(service.selector);
    expect(labels('worker')).not.toMatchObject(service.selector);
    expect(matchLabels).toEqual(service.selector);
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
  });

  test('the database is updated before the processes start, with the same settings', async () => {
    const resources = await rendered(...NEW_SECRET);
    const job = named(resources, 'Job', 'acme-migration');
    expect(containerOf(job).command?.slice(-2)).toEqual(['scripts/admin.mjs', 'migrate']);
    const secret = named(resources, 'Secret', 'acme-settings');
    for (const { metadata } of [job, secret])
      expect(metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const weight = ({ metadata }: Resource) => Number(metadata.annotations?.['helm.sh/hook-weight']);
    expect(weight(secret)).toBeLessThan(weight(job));
    for (const each of [job, named(resources, 'Deployment', 'acme-api'), named(resources, 'Deployment', 'acme-worker')])
      expect(containerOf(each).envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }]);
  });

  test('every setting that it names exists, and others are passed on', async () => {
    const values = [...NEW_SECRET, '--set-string', 'settings.LOG_LEVEL=info', '--set-string', 'settings.SANDBOX=on'];
    const resources = await rendered(...values);
    const { env } = containerOf(named(resources, 'Deployment', 'acme-api'));
    const names = [
      ...env.map(({ name }) => name),
      ...Object.keys(named(resources, 'Secret', 'acme-settings').stringData ?? {}),
    ];
    expect(names.filter((name) => !settingNames().includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(env).toContainEqual({ name: 'LOG_LEVEL', value: 'info' });
    expect(env).toContainEqual({ name: 'SANDBOX', value: 'on' });
    const mentioned = [
      ...(await readFile(`${CHART}/values.yaml`, 'utf8')).matchAll(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g),
    ];
    expect(mentioned.map(([name]) => name).filter((name) => !settingNames().includes(name))).toEqual([]);
  });
});
