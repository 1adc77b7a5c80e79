import type { Method } from '@unified/contract';

/** The parts of a bundled document to which presentation is added. */
export interface Page {
  readonly info: { readonly title: string; description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PagePath>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, PageParameter>>;
    readonly responses?: Readonly<Record<string, PageResponse>>;
  };
}

/** Operations by method, beside the parameters that they share. */
type PagePath = Readonly<Partial<Record<Method, PageOperation>>> & {
  readonly parameters?: readonly PageParameter[];
};

export interface PageParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

export interface PageOperation {
  readonly operationId?: string;
  readonly parameters?: readonly PageParameter[];
  description?: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
  /** By status. */
  readonly responses?: Record<string, PageResponse>;
  'x-codeSamples'?: readonly CodeSample[];
}

export interface PageResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
