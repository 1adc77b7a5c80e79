import { describe, expect, it } from 'vitest';
import { flatten } from '../generate/flatten.ts';
import type { Document, OperationNode, Parameter, Schema } from '../generate/openapi.ts';
import { resolve } from './component-references.ts';
import { clientDocument, errorTable, operations } from './index.ts';

const document = clientDocument() as unknown as Document;

const propertiesOf = (name: string) => flatten(document, { $ref: `#/components/schemas/${name}` }).properties ?? {};

/** An operation in the document, and its parameters, including those of its path. */
function described(id: string): { readonly node: OperationNode; readonly parameters: readonly Parameter[] } {
  const { path = '', method = 'get' } = operations.find((each) => each.id === id) ?? {};
  const item = document.paths[path] ?? {};
  const node = item[method] ?? {};
  const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])];
  return { node, parameters: parameters.map((each) => resolve<Parameter>(document, each)) };
}

const textOf = (id: string) => (described(id).node as { readonly description?: string }).description ?? '';
const parameterOf = (id: string, name: string) => described(id).parameters.find((each) => each.name === name);

describe('field mappings', () => {
  it('revision 0, the mapping of the platform, can be activated again', () => {
    expect(parameterOf('activateFieldMappingRevision', 'revision')?.schema).toMatchObject({ minimum: 0 });
    expect(propertiesOf('FieldMapping').revision).toMatchObject({ minimum: 0 });
  });

  it('a custom stream can be the source of an entity, in a mapping that is saved or tested', () => {
    for (const input of ['FieldMappingInput', 'FieldMappingTest'])
      expect(propertiesOf(input).stream?.description).toContain('custom stream');
  });

  it('the rows of a custom stream can be read', () => {
    expect(textOf('replaceCustomStreams')).toContain('/raw/tables');
    const name = parameterOf('listRawRows', 'table')?.schema;
    expect('x_price_list').toMatch(new RegExp(String(name?.pattern)));
  });

  it('a source table can have 2,000 columns', () => {
    expect(propertiesOf('SourceTable').fields?.maxItems).toBe(2000);
  });
});

describe('MQL', () => {
  it('has a grammar', () => {
    const rules = ['statement', 'select', 'column', 'source', 'condition', 'expression'];
    for (const rule of rules) expect(textOf('runQuery')).toMatch(new RegExp(`^\\s*${rule} +=`, 'm'));
  });

  it('returns columns with their types, and pages of rows', () => {
    expect(propertiesOf('QueryColumn').type).toMatchObject({ $ref: '#/components/schemas/QueryColumnType' });
    const { columns, rows, nextCursor } = propertiesOf('QueryResult');
    expect([columns?.items?.$ref, rows?.maxItems]).toEqual(['#/components/schemas/QueryColumn', 500]);
    expect(nextCursor?.type).toEqual(['string', 'null']);
    expect(propertiesOf('QueryStatement')).toHaveProperty('cursor');
  });
});

describe('MCP', () => {
  it('a denied tool has a code', () => {
    expect(errorTable.SERVICE_TOOL_DENIED.status).toBe(403);
    expect(textOf('executeMcpTool')).toContain('403 `SERVICE_TOOL_DENIED`');
  });

  it('a tool with the effect `ask` has a response of its own: the access request', () => {
    expect(described('executeMcpTool').node.responses?.['202']).toEqual(
      described('requestMcpAccess').node.responses?.['201'],
    );
  });
});

describe('patterns of identifiers', () => {
  const found = operations.flatMap(({ id }) =>
    described(id).parameters.flatMap(({ name, schema }) =>
      name === 'platform' ? [[`${id}.platform`, schema?.pattern]] : [],
    ),
  );
  const properties = Object.entries(document.components.schemas ?? {}).flatMap(([schema, { properties = {} }]) =>
    properties.platform ? [[`${schema}.platform`, (properties.platform as Schema).pattern]] : [],
  );

  it('of platforms are the same in addresses and schemas', () => {
    const { pattern } = propertiesOf('Platform').id ?? {};
    expect(found.length).toBeGreaterThan(4);
    expect(properties.length).toBeGreaterThan(8);
    expect([...found, ...properties].filter(([, each]) => each !== pattern)).toEqual([]);
    expect('read_only').toMatch(new RegExp(String(pattern)));
  });

  it('of settings forms are the same in addresses and schemas', () => {
    expect(parameterOf('saveSettingsForm', 'formId')?.schema?.pattern).toBe(propertiesOf('SettingsForm').id?.pattern);
  });
});
