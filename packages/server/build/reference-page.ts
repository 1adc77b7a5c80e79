import type { Method } from '@unified/contract';

/** The parts of a bundled document that the reference shows, or to which presentation is added. */
export interface Page {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, PagePath>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, PageParameter>>;
    readonly responses?: Readonly<Record<string, PageResponse>>;
    readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
    readonly schemas?: Readonly<Record<string, PageSchema>>;
  };
}

/** Operations by method, next to the parameters that they share. */
type PagePath = Readonly<Partial<Record<Method, PageOperation>>> & {
  readonly parameters?: readonly PageParameter[];
};

export interface PageParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: PageSchema;
  readonly example?: unknown;
}

export interface PageOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly PageParameter[];
  readonly description?: string;
  readonly requestBody?: { readonly required?: boolean; readonly content?: PageContent };
  /** By status. */
  readonly responses?: Record<string, PageResponse>;
  readonly 'x-transition'?: { readonly from?: readonly string[]; readonly to?: string };
  'x-codeSamples'?: readonly CodeSample[];
}

/** Bodies by media type. */
export type PageContent = Readonly<Record<string, { readonly schema?: PageSchema; readonly example?: unknown }>>;

export interface PageResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
  readonly content?: PageContent;
}

/** The keywords of JSON Schema that the document uses to describe structure, and that the reference shows. */
export interface PageSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, PageSchema>>;
  readonly required?: readonly string[];
  readonly items?: PageSchema;
  readonly additionalProperties?: boolean | PageSchema;
  readonly allOf?: readonly PageSchema[];
  readonly anyOf?: readonly PageSchema[];
  readonly oneOf?: readonly PageSchema[];
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
