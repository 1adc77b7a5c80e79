import { clientDocument, entities, entityOf, operations } from '@unified/contract';
import { camelCase, collectionCalls } from '../build/collections.ts';

/** The same calls, written for the client and for the bare fetch client: one for each method of the client. */
export interface Consumers {
  readonly calls: number;
  readonly client: string;
  readonly bare: string;
}

export function consumers(): Consumers {
  const calls = collectionCalls(operations).filter(({ operation }) => operation.entity !== undefined);
  const lines = calls.map(({ collection, name, operation }) => {
    const { method, path, entity = '' } = operation;
    const root = operation.deprecated ? 'client.legacy' : 'client';
    const place = { short: `${root}.${camelCase(collection)}.${name}`, method: method.toUpperCase(), path };
    if (name === 'list') return listCalls(place, entity);
    if (name === 'get') return getCalls(place, entityOf(entity)?.holdsFile === true);
    return writeCalls(place, exampleOf(path, method), name === 'delete');
  });
  return {
    calls: calls.length,
    client: source(
      `import { createClient } from '@unified/sdk';\nconst client = createClient({ baseUrl: 'http://localhost:4000', token: '' });`,
      lines,
      'client',
    ),
    bare: source(
      `import createClient from 'openapi-fetch';\nimport type { paths } from './types.ts';\nconst client = createClient<paths>();`,
      lines,
      'bare',
    ),
  };
}

interface Place {
  readonly short: string;
  readonly method: string;
  readonly path: string;
}

interface Calls {
  readonly client: string;
  readonly bare: string;
}

const PATH = `path: { id: 'id' }`;

function listCalls({ short, method, path }: Place, entity: string): Calls {
  const fields = Object.values(entities).find(({ name }) => name === entity)?.fields;
  const relation = fields?.find(({ kind }) => kind === 'relation')?.name;
  const expand = {
    client: relation ? `, expand: ['${relation}']` : '',
    bare: relation ? `, expand: '${relation}'` : '',
  };
  return {
    client: `(await ${short}({ filter: { code: { contains: 'a' } }, sort: '-_updatedAt', per_page: 10${expand.client} })).data[0]?._displayValue.length;`,
    bare: `(await client.${method}('${path}', { params: { query: { filter: { 'code:contains': 'a' }, sort: '-_updatedAt', per_page: 10${expand.bare} } } })).data?.data[0]?._displayValue.length;`,
  };
}

/** A record with a file can also be returned as its bytes; without the client, the caller must check which of the two it is. */
function getCalls({ short, method, path }: Place, holdsFile: boolean): Calls {
  const got = `(await client.${method}('${path}', { params: { ${PATH} } })).data`;
  return {
    client: `(await ${short}('id')).code.length;`,
    bare: holdsFile
      ? `{ const data = ${got}; if (typeof data === 'object') data.data.code.length; }`
      : `${got}?.data.code.length;`,
  };
}

function writeCalls({ short, method, path }: Place, example: string | undefined, deletes: boolean): Calls {
  const creates = !path.includes('{id}');
  const given = [creates ? undefined : `'id'`, example].filter((part) => part !== undefined).join(', ');
  const init = [creates ? undefined : `params: { ${PATH} }`, example && `body: ${example}`].filter(Boolean).join(', ');
  return {
    client: `await ${short}(${given});`,
    bare: `${deletes ? '' : '('}await client.${method}('${path}', { ${init} })${deletes ? '' : ').data'};`,
  };
}

interface Node {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
}

function exampleOf(path: string, method: string): string | undefined {
  const { requestBody } = (clientDocument().paths[path]?.[method] ?? {}) as Node;
  return requestBody && JSON.stringify(requestBody.content?.['application/json']?.example ?? {});
}

function source(head: string, lines: readonly Calls[], which: keyof Calls): string {
  return `${head}\n${lines.map((calls) => calls[which]).join('\n')}\nexport {};\n`;
}
