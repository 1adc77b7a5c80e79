/** The parts of a bundled document that presentation is added to. */
export interface Page {
  readonly info: { readonly title: string; description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, PageOperation>>>>;
}

export interface PageOperation {
  readonly operationId?: string;
  description?: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
  'x-codeSamples'?: readonly CodeSample[];
}

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}
