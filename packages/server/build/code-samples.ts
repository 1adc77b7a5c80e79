import { inspect } from 'node:util';
import { entityOf, type Operation, operations } from '@unified/contract';
import type { Page, PageOperation } from './page.ts';

const ID = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
const QUERY: Partial<Record<Operation['kind'], string>> = { list: '?per_page=20' };

/** Adds to every operation of the page how to call it, by curl and by the TypeScript SDK. */
export function addCodeSamples({ paths, servers }: Page): void {
  const base = servers[0]?.url ?? '';
  for (const operation of operations) {
    const described = paths[operation.path]?.[operation.method];
    if (!described) continue;
    const body = exampleOf(described);
    described['x-codeSamples'] = [
      { lang: 'curl', label: 'curl', source: curl(base, operation, body) },
      { lang: 'typescript', label: 'SDK', source: sdk(operation, body) },
    ];
  }
}

function exampleOf({ requestBody }: PageOperation): unknown {
  return requestBody?.content?.['application/json']?.example;
}

function curl(base: string, { method, path, kind, open }: Operation, body: unknown): string {
  const address = `'${base}${path.replaceAll(/\{\w+\}/g, ID)}${QUERY[kind] ?? ''}'`;
  const lines = [method === 'get' ? `curl ${address}` : `curl -X ${method.toUpperCase()} ${address}`];
  if (!open) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (method !== 'get') lines.push('-H "Idempotency-Key: $(uuidgen)"');
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

function sdk(operation: Operation, body: unknown): string {
  const entity = operation.entity === undefined ? undefined : entityOf(operation.entity);
  const name = entity ? entity.name.charAt(0).toLowerCase() + entity.name.slice(1) : '';
  const collection = `client.${camelCase(operation.path.split('/')[1] ?? '')}`;
  const values = body === undefined ? '' : `, ${literal(body)}`;
  switch (operation.kind) {
    case 'list':
      return `for await (const ${name} of ${collection}.list()) {\n  console.log(${name}.id, ${name}._displayValue);\n}`;
    case 'create':
      return `const ${name} = await ${collection}.create(${literal(body)});`;
    case 'get':
      return `const ${name} = await ${collection}.get('${ID}');`;
    case 'delete':
      return `await ${collection}.delete('${ID}');`;
    case 'update':
    case 'replace':
      return `const ${name} = await ${collection}.${operation.kind}('${ID}'${values});`;
    case 'action':
      return `const write = await ${collection}.${camelCase(operation.action ?? '')}('${ID}'${values});`;
    default:
      return byPath(operation, body);
  }
}

/** What has no short form is called by its path. */
function byPath({ method, path }: Operation, body: unknown): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, ID]);
  const init = {
    ...(names.length > 0 && { params: { path: Object.fromEntries(names) } }),
    ...(body !== undefined && { body }),
  };
  const values = Object.keys(init).length === 0 ? '' : `, ${literal(init)}`;
  return `const { data, error } = await client.${method.toUpperCase()}('${path}'${values});`;
}

function literal(value: unknown): string {
  return inspect(value, { depth: null, breakLength: 72, compact: 3 });
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
