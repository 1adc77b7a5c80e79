import type { Scalar } from '../definition.ts';
import { codeText } from '../scalar-text.ts';
import { refuse, type SchemaPath } from '../schema-path.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

interface Options {
  readonly true?: readonly Scalar[];
  readonly false?: readonly Scalar[];
}

/** `boolean`: true and false by listed values; if only one list is given, other values mean the opposite. */
export function boolean(from: Word, options: Options, place: SchemaPath): Word {
  if (options.true === undefined && options.false === undefined) {
    return coded(from, {
      yields: 'boolean',
      decode: (theirs) => (typeof theirs === 'boolean' ? theirs : undefined),
      encode: (ours) => (typeof ours === 'boolean' ? ours : null),
      complaint: 'The value is not true or false. List the values that mean `true` or `false`.',
    });
  }
  const yes = listed(options.true);
  const no = listed(options.false);
  for (const value of yes ?? []) if (no?.has(value)) refuse(place, `${JSON.stringify(value)} is both true and false`);
  const truth = options.true?.[0];
  const falsehood = options.false?.[0];
  return coded(from, {
    yields: 'boolean',
    decode: (theirs) => {
      const value = codeText(theirs);
      if (yes?.has(value)) return true;
      if (no?.has(value)) return false;
      return yes && no ? undefined : no !== undefined;
    },
    encode: (ours) => (ours === null ? null : ours === true ? truth : ours === false ? falsehood : undefined),
    complaint: 'The value is in neither list of the function `boolean`.',
  });
}

function listed(values: readonly Scalar[] | undefined): ReadonlySet<string | null> | undefined {
  return values && new Set(values.map(codeText));
}
