import type { Context, Node, Rule } from './redocly.ts';

const KNOWN = [
  'x-codeSamples',
  'x-displayName',
  'x-earlier-version',
  'x-enumDescriptions',
  'x-errors',
  'x-maxBytes',
  'x-references',
  'x-successor',
  'x-surface',
  'x-tagGroups',
  'x-transition',
  'x-view',
];

/** The extensions of this document; openapi/README.md describes each. */
export const extensions: Rule = () => {
  const check = (node: Node, { report, location }: Context) => {
    for (const word of Object.keys(node).filter((key) => key.startsWith('x-') && !KNOWN.includes(key)))
      report({ message: `\`${word}\` is not a known extension.`, location: location.child([word]).key() });
  };
  return {
    Root: check,
    Info: check,
    Tag: check,
    PathItem: check,
    Operation: check,
    Parameter: check,
    Schema: check,
    Response: check,
    MediaType: check,
  };
};
