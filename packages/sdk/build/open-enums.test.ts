import { describe, expect, it } from 'vitest';
import { openEnums } from './open-enums.ts';

const types = `
export interface paths { "/orders": { parameters: { query?: { level?: components["schemas"]["Level"] } }; get: operations["list"] } }
export interface components {
    schemas: {
        /** @description How urgent. */
        Level: "low" | "high";
        Kind: "order" | "quote";
        Line: { unit: "kg" | "m" | null; kind: "line" };
        Order: { level?: components["schemas"]["Level"]; kind: components["schemas"]["Kind"]; lines: components["schemas"]["Line"][]; tags: ("a" | "b")[] };
        OrderInput: { level?: components["schemas"]["Level"]; lines: components["schemas"]["Line"][]; note: "x" | "y" };
        Address: { city: string };
        Unused: "a" | "b";
    };
    responses: { Order: { content: { "application/json": components["schemas"]["Order"] } } };
    parameters: { sort: "up" | "down" };
}
export interface operations {
    list: {
        parameters: { query?: { sort?: components["parameters"]["sort"]; state?: "on" | "off" } };
        requestBody: { content: { "application/json": components["schemas"]["OrderInput"] } };
        responses: { 200: components["responses"]["Order"]; 400: { content: { "application/json": { code: "A" | "B" } } } };
    };
}
`;
const opened = openEnums(types);

/** The line of the result that begins with this text. */
function line(start: string): string | undefined {
  return opened
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each.startsWith(start));
}

describe('the enums of the generated types', () => {
  it('are open in responses', () => {
    expect(line('Kind:')).toBe('Kind: "order" | "quote" | (string & {});');
    expect(line('Order:')).toContain('tags: ("a" | "b" | (string & {}))[]');
    expect(line('responses: { 200')).toContain('{ code: "A" | "B" | (string & {}) }');
  });

  it('stay closed in requests', () => {
    expect(line('parameters: { sort')).toBe('parameters: { sort: "up" | "down" };');
    expect(line('parameters: { query')).toContain('state?: "on" | "off" }');
    expect(line('OrderInput:')).toContain('note: "x" | "y" }');
  });

  it('are open for responses and closed for requests if both use a schema', () => {
    expect(line('Level:')).toBe('Level: "low" | "high" | (string & {});');
    expect(line('"LevelInput":')).toBe('"LevelInput": "low" | "high";');
    expect(line('Line:')).toBe('Line: { unit: "kg" | "m" | null | (string & {}); kind: "line" };');
    expect(line('"LineInput":')).toBe('"LineInput": { unit: "kg" | "m" | null; kind: "line" };');
    expect(line('Order:')).toContain('level?: components["schemas"]["Level"]');
    expect(line('OrderInput:')).toContain(
      'level?: components["schemas"]["LevelInput"]; lines: components["schemas"]["LineInput"][]',
    );
    expect(line('export interface paths')).toContain('level?: components["schemas"]["LevelInput"]');
  });

  it('keep their comments', () => {
    expect(opened.match(/@description How urgent/g)).toHaveLength(2);
  });

  it('are unchanged if no operation uses them', () => {
    expect(line('Unused:')).toBe('Unused: "a" | "b";');
  });

  it('do not make copies of schemas without enums', () => {
    expect(opened).not.toContain('AddressInput');
  });
});
