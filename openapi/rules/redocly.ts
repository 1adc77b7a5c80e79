/** The part of Redocly's plugin interface that the rules use; the package has no types. */

/** Any object of the document, as it is in its file. */
export type Node = Readonly<Record<string, unknown>>;

export interface Location {
  readonly pointer: string;
  readonly source: { readonly absoluteRef: string; readonly body: string };
  child(keys: readonly (string | number)[]): Location;
  key(): Location;
}

export interface Context {
  readonly key: string | number;
  readonly location: Location;
  report(problem: { readonly message: string; readonly location?: Location }): void;
  resolve(node: Node, from?: string): { readonly node?: unknown; readonly location?: Location };
}

type Visit = (node: Node, context: Context) => void;

export type Visitor = Readonly<Record<string, Visit>>;

/** A rule: created once per document, then called for each node of the kinds that it names, before or after its children. */
export type Rule = () => Readonly<Record<string, Visit | { readonly leave: Visit }>>;
