import { inspect } from 'node:util';
import { entityOf, expandPath, type OpenApiDocument, type Operation, operations, templateOf } from '@unified/contract';
import { parametersOf, pathExamples, queryExamples } from './parameter-examples.ts';
import type { DocumentOperation, ReferenceDocument } from './reference-document.ts';

const QUERY: Partial<Record<Operation['kind'], Record<string, string>>> = { list: { per_page: '20' } };

/** Maximum line length; longer values are wrapped. */
const WIDTH = 72;

/**
 * Adds code samples to every operation: for curl and, if this release serves the operation, for the
 * TypeScript SDK.
 */
export function addCodeSamples(document: ReferenceDocument): void {
  const { paths, servers } = document;
  const server = new URL(servers[0]?.url ?? '').origin;
  for (const operation of operations) {
    const described = paths[operation.path]?.[operation.method];
    if (!described) continue;
    const sample: Sample = {
      operation,
      path: pathExamples(document, operation),
      query: queryExamples(document, operation),
      body: exampleOf(described),
      hasKey: parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key'),
    };
    described['x-codeSamples'] = [
      { lang: 'curl', label: 'curl', source: curl(server, sample) },
      { lang: 'typescript', label: 'TypeScript SDK', source: sdk(sample) },
    ];
  }
}

/** A copy of the document with code samples. */
export function withCodeSamples(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  addCodeSamples(copy as unknown as ReferenceDocument);
  return copy;
}

/** A sample call. */
interface Sample {
  readonly operation: Operation;
  /** Values of its path parameters. */
  readonly path: Readonly<Record<string, unknown>>;
  /** Values of the required query parameters. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly hasKey: boolean;
}

function exampleOf({ requestBody }: DocumentOperation): unknown {
  return requestBody?.content?.['application/json']?.example;
}

function curl(server: string, { operation, path: values, query, body, hasKey }: Sample): string {
  const { method, kind } = operation;
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const filled = expandPath(templateOf(operation), texts);
  const asked = new URLSearchParams({ ...QUERY[kind], ...query }).toString();
  const address = `'${server}${filled}${asked && `?${asked}`}'`;
  const isForBrowsers = operation.id === 'authorize';
  const lines = [
    method === 'get' ? `curl ${isForBrowsers ? '-i ' : ''}${address}` : `curl -X ${method.toUpperCase()} ${address}`,
  ];
  lines.push(...credentials(operation));
  if (hasKey) lines.push('-H "Idempotency-Key: $(date +%s%N)"');
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${json(body).replaceAll("'", "'\\''")}'`);
  }
  // The example names a client that does not exist, and only a browser can continue.
  const note = '# The browser of the end user opens this address. curl shows where it leads.\n';
  return (isForBrowsers ? note : '') + lines.join(' \\\n  ');
}

/** The options of curl that send a token or, to the console, the cookie of a session with the header that a browser sends. */
function credentials({ method, security, surface }: Operation): string[] {
  if (surface !== 'console') {
    const token = security.includes('adminToken') ? '$ACCESS_TOKEN' : '$TOKEN';
    return security.length > 0 ? [`-H "Authorization: Bearer ${token}"`] : [];
  }
  const cookies = security.includes('consoleSession') ? ['-b cookies.txt'] : ['-c cookies.txt'];
  return method === 'get' ? cookies : [...cookies, "-H 'Sec-Fetch-Site: same-origin'"];
}

/** JSON on one line if it is short, otherwise on several. */
function json(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= WIDTH ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

function sdk(sample: Sample): string {
  const { operation, path, body } = sample;
  const { entity } = operation;
  const collection = `${root(operation)}.${camelCase(operation.path.split('/')[1] ?? '')}`;
  const id = `'${Object.values(path).at(-1)}'`;
  const name = variable(operation);
  const values = body === undefined ? '' : `, ${literal(body)}`;
  switch (shortForm(operation)) {
    case 'list':
      return `for await (const ${name} of ${collection}.list()) {\n  console.log(${entity ? `${name}.id, ${name}._displayValue` : name});\n}`;
    case 'create':
      return `const ${name} = await ${collection}.create(${literal(body)});`;
    case 'createMany':
      return `const results = await ${collection}.createMany(${literal(body)});`;
    case 'get':
      return `const ${name} = await ${collection}.get(${id});`;
    case 'delete':
      return `await ${collection}.delete(${id});`;
    case 'update':
      return `const ${name} = await ${collection}.update(${id}${values});`;
    case 'replace':
      return `const ${name} = await ${collection}.replace(${id}${values});`;
    case 'action':
      return `const write = await ${collection}.${camelCase(operation.path.split('/').at(-1) ?? '')}(${id}${values});`;
    default:
      return byPath(sample);
  }
}

/** The client that has the token for the operation, and the part of it that contains the operation. */
function root({ deprecated, security }: Operation): string {
  const client = security.includes('adminToken') ? 'management' : 'client';
  return deprecated ? `${client}.legacy` : client;
}

/** The client method for the operation. An operation without an entity has one if its address allows it. */
function shortForm({ kind, method, path, id }: Operation): string | undefined {
  if (kind !== 'other') return kind;
  if (method === 'get' && /^\/[a-z-]+$/.test(path) && id.startsWith('list')) return 'list';
  if (method === 'get' && /^\/[a-z-]+\/\{\w+\}$/.test(path)) return 'get';
  return method === 'post' && /^\/[a-z-]+\/\{\w+\}\/actions\/[a-z-]+$/.test(path) ? 'action' : undefined;
}

/** Name of the variable for a record in a sample: `listWrites` and `getWrite` return a `write`. */
function variable({ id, entity }: Operation): string {
  const name = entityOf(entity ?? '')?.name ?? id.replace(/^[a-z]+/, '').replace(/(ie)?s$/, (_, ie) => (ie ? 'y' : ''));
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** An operation without its own method is called through its path. */
function byPath({ operation, path: values, query, body }: Sample): string {
  const { method, path } = operation;
  const params = {
    ...(Object.keys(values).length > 0 && { path: values }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const init = { ...(Object.keys(params).length > 0 && { params }), ...(body !== undefined && { body }) };
  const given = Object.keys(init).length === 0 ? '' : `, ${literal(init)}`;
  return `const { data, error } = await ${root(operation)}.${method.toUpperCase()}('${path}'${given});`;
}

/** A value as TypeScript, wrapped if it is long, with the trailing commas that formatters add. */
function literal(value: unknown): string {
  return inspect(value, { depth: null, breakLength: WIDTH, compact: 3 }).replaceAll(
    /(?<=[^\s,[{(])(?=\n\s*[\]}])/g,
    ',',
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
