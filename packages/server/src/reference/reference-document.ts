import type { Method } from '@unified/contract';

/** The parts of the document that the reference shows, and to which samples and examples are added. */
export interface ReferenceDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, DocumentPath>>;
  /** Requests that the service sends, by kind of event. */
  readonly webhooks?: Readonly<Record<string, { readonly post?: DocumentOperation }>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, DocumentParameter>>;
    readonly responses?: Readonly<Record<string, DocumentResponse>>;
    readonly headers?: Readonly<Record<string, DocumentHeader>>;
    readonly schemas?: Readonly<Record<string, DocumentSchema>>;
  };
}

/** Operations by method, next to the parameters that they share. */
type DocumentPath = Readonly<Partial<Record<Method, DocumentOperation>>> & {
  readonly parameters?: readonly DocumentParameter[];
};

export interface DocumentParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: DocumentSchema;
  readonly example?: unknown;
}

export interface DocumentOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly parameters?: readonly DocumentParameter[];
  readonly description?: string;
  readonly requestBody?: { readonly required?: boolean; readonly content?: DocumentContent };
  /** By status. */
  readonly responses?: Record<string, DocumentResponse>;
  readonly 'x-transition'?: { readonly from?: readonly string[]; readonly to?: string };
  'x-codeSamples'?: readonly CodeSample[];
}

/** Bodies by media type. */
export type DocumentContent = Readonly<
  Record<string, { readonly schema?: DocumentSchema; readonly example?: unknown }>
>;

export interface DocumentHeader {
  readonly $ref?: string;
  readonly description?: string;
}

export interface DocumentResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, DocumentHeader>>;
  readonly content?: DocumentContent;
}

/** The keywords of JSON Schema that the document uses to describe structure, and that the reference shows. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly items?: DocumentSchema;
  readonly additionalProperties?: boolean | DocumentSchema;
  readonly allOf?: readonly DocumentSchema[];
  readonly anyOf?: readonly DocumentSchema[];
  readonly oneOf?: readonly DocumentSchema[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-references'?: readonly string[];
}

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
