import { nameOf, resolve } from '../src/component-references.ts';
import type { Reader } from './conventions.ts';

/** A JSON Schema as it is in the document. Only the keywords that the generator reads are declared. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: unknown;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly unevaluatedProperties?: boolean;
  readonly [keyword: string]: unknown;
}

export interface Reference {
  readonly $ref: string;
}

export interface Media {
  readonly schema?: Schema;
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly schema?: Schema;
  readonly [keyword: string]: unknown;
}

export interface Body {
  readonly required?: boolean;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Server {
  readonly url: string;
}

export interface OperationNode {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly object[];
  readonly servers?: readonly Server[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Body | Reference;
  readonly responses?: Readonly<Record<string, Body | Reference>>;
  readonly 'x-successor'?: string;
  readonly 'x-transition'?: { readonly from?: readonly string[]; readonly to?: string };
}

export interface PathItem {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly servers?: readonly Server[];
  readonly get?: OperationNode;
  readonly post?: OperationNode;
  readonly put?: OperationNode;
  readonly patch?: OperationNode;
  readonly delete?: OperationNode;
}

/** The bundled document: every `$ref` is local to it. */
export interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly Server[];
  readonly security?: readonly object[];
  readonly tags?: readonly { readonly name: string; readonly 'x-surface'?: string }[];
  readonly 'x-earlier-version'?: { readonly name: string; readonly base: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  /** Requests that the service sends, by kind of event. */
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

/** Reads the nodes of a bundled document by its conventions. */
export function readerOf(document: Document): Reader<object> {
  const child = (from: object, key: string | number): unknown => Reflect.get(from, key);
  const at = (from: object, ...keys: readonly (string | number)[]): object | undefined =>
    keys.reduce<object | undefined>(
      (place, key) => {
        const value = place && child(place, key);
        return typeof value === 'object' && value !== null ? resolve<object>(document, value) : undefined;
      },
      resolve<object>(document, from),
    );
  return {
    at,
    nameAt(from, ...keys) {
      const parent = at(from, ...keys.slice(0, -1));
      const last = parent && child(parent, keys.at(-1) ?? '');
      const reference = typeof last === 'object' && last !== null && '$ref' in last ? last.$ref : undefined;
      return typeof reference === 'string' ? nameOf(reference) : undefined;
    },
    node: (place) => ({ ...place }),
  };
}
