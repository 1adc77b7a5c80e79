import { SaxesParser } from 'saxes';
import { SystemError } from '../../system-error.ts';

/** Maximum nesting of elements in a document; service descriptions have about 8 levels. */
const DEEPEST = 64;

/** Maximum number of elements and bytes in a document; the largest service descriptions have about a tenth of these. */
const MOST_ELEMENTS = 200_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** An element of an XML document, without its texts, which metadata does not use. */
export interface XmlElement {
  /** Name without its prefix. */
  readonly name: string;
  /** Value of an attribute without a prefix, or with a prefix of `namespace`. */
  attribute(name: string, namespace?: string): string | undefined;
  readonly children: readonly XmlElement[];
}

/** The namespaces of the prefixes of an element, including prefixes of the elements around it. */
type Prefixes = ReadonlyMap<string, string>;

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  readonly prefixes: Prefixes;
}

/**
 * Parses a document. Only the entities of XML itself exist, and nothing is loaded: a document type is refused.
 *
 * @throws {SystemError} `invalid` if it is not well-formed, is cut off, is too large, or is nested too deeply
 */
export function parseXml(body: Uint8Array): XmlElement {
  if (body.byteLength > MOST_BYTES) throw tooLarge();
  try {
    return parsed(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    if (error instanceof SystemError) throw error;
    throw new SystemError('invalid', 'The description of the service ($metadata) is not XML. Check the setting "url"', {
      cause: messageOf(error),
    });
  }
}

function parsed(text: string): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  // The parser resolves prefixes in time that is quadratic in the depth, so they are resolved here.
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new SystemError('invalid', 'The description of the service ($metadata) has a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= DEEPEST) throw new SystemError('invalid', 'The description of the service is nested too deeply');
    count += 1;
    if (count > MOST_ELEMENTS) throw tooLarge();
    const element = elementOf(name, attributes, open.at(-1)?.prefixes ?? new Map());
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  if (!root)
    throw new SystemError('invalid', 'The description of the service ($metadata) is empty. Check the setting "url"');
  return root;
}

function elementOf(name: string, attributes: Readonly<Record<string, string>>, outer: Prefixes): OpenElement {
  const given = Object.entries(attributes);
  const declared = given.filter(([key]) => key.startsWith('xmlns:')).map(([key, uri]) => [key.slice(6), uri] as const);
  const prefixes = declared.length === 0 ? outer : new Map([...outer, ...declared]);
  const values = new Map(
    given.map(([key, value]) => {
      const at = key.indexOf(':');
      return [at < 0 ? key : `${prefixes.get(key.slice(0, at))} ${key.slice(at + 1)}`, value];
    }),
  );
  return {
    name: name.slice(name.indexOf(':') + 1),
    prefixes,
    children: [],
    attribute: (key, namespace) => values.get(namespace === undefined ? key : `${namespace} ${key}`),
  };
}

function tooLarge(): SystemError {
  return new SystemError('invalid', 'The description of the service ($metadata) is too large');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The elements with this name, directly below one. */
export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}
