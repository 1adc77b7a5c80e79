import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validate } from 'dockerfile-utils';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { serverEnvironment, serverFlags } from './server-flags.mjs';
import { settingNames } from './settings.ts';

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const dockerfile = text('Dockerfile');
const composeText = text('compose.yaml');
const compose = load(composeText) as {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
};

/** Set by the image, or by `ports` of compose.yaml. */
const OF_THE_IMAGE = ['DATA_DIR', 'PORT'];

/** Names in `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
function interpolated(yaml: string): Set<string> {
  return new Set([...yaml.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
}

describe('the Dockerfile', () => {
  it('passes the linter', () => {
    expect(validate(dockerfile)).toEqual([]);
  });

  it('starts the server as `npm start` does', () => {
    const [, command = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(command)).toEqual(['node', ...serverFlags, 'scripts/start.mjs']);
    for (const [name, value] of Object.entries(serverEnvironment)) expect(dockerfile).toContain(`${name}=${value}`);
  });

  it('starts the server as the unit for systemd does', () => {
    const unit = text('docs/operations.md');
    expect(unit).toContain(`ExecStart=/usr/bin/node ${serverFlags.join(' ')} scripts/start.mjs\n`);
    for (const [name, value] of Object.entries(serverEnvironment)) expect(unit).toContain(`${name}=${value}`);
  });

  it('installs the pnpm version that package.json requires', () => {
    const { packageManager } = JSON.parse(text('package.json'));
    expect(dockerfile).toContain(`RUN npm install --global ${packageManager}\n`);
  });

  it('has no argument, and copies no file, that could contain a secret', () => {
    expect(dockerfile).not.toMatch(/^ARG /m);
    const sent = text('.dockerignore').split('\n');
    expect(sent).toContain('*');
    expect(sent.filter((line) => /^!.*(env|data)/.test(line))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  it('conforms to the Compose Specification', () => {
    const schema = JSON.parse(text('scripts/compose-spec/compose-spec.json'));
    const conforms = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    conforms(compose);
    expect(conforms.errors).toBe(null);
  });

  it.each(['api', 'worker'])('passes every setting to the %s', (service) => {
    const passed = [...Object.keys(compose.services[service]?.environment ?? {}), ...OF_THE_IMAGE];
    expect(passed.sort()).toEqual(settingNames());
  });

  it('reads exactly what .env.example explains', () => {
    const explained = [...text('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(new Set(explained)).toEqual(interpolated(composeText));
  });

  it('has no default for a secret', () => {
    const example = text('.env.example');
    for (const name of ['POSTGRES_PASSWORD', 'UNIFIED_DATABASE_PASSWORD', 'UNIFIED_KEY']) {
      expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
      expect(composeText).not.toMatch(new RegExp(`\\$\\{${name}(?!:\\?)`));
    }
    expect(text('.gitignore').split('\n')).toContain('.env');
  });
});
