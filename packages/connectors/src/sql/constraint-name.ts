/** Ending of a name that a database generates for a check, which contains the names of its table and columns. */
const GENERATED_NAME = /_(check|not_null|chk)_?\d*$/;

/** `unit_price`, `unitPrice` or `Sales.Order`. */
const IDENTIFIER = /\p{L}[_.]\p{L}|\p{Ll}\p{Lu}/u;

/**
 * The name of a violated check if it is a sentence of three words or more, which is intended for users, and none of its words looks
 * like the name of a table or column.
 */
export function sentenceIn(constraint: string): string | undefined {
  const isSentence = /\S\s+\S+\s+\S/.test(constraint) && !GENERATED_NAME.test(constraint);
  return isSentence && !IDENTIFIER.test(constraint) ? constraint : undefined;
}
