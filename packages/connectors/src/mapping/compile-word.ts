import type { By, FieldDefinitions, On, Vocabulary, WordDefinition, WordName } from './definition.ts';
import { segments } from './path.ts';
import { at, inside, refuse, type SchemaPath } from './schema-path.ts';
import type { Word, Words } from './word.ts';
import { boolean } from './words/boolean.ts';
import { calculate } from './words/calculate.ts';
import { coalesce, when } from './words/choice.ts';
import { constant } from './words/const.ts';
import { date } from './words/date.ts';
import { datetime } from './words/datetime.ts';
import { directed } from './words/direction.ts';
import { flag } from './words/flag.ts';
import { flags } from './words/flags.ts';
import { key } from './words/key.ts';
import { lookup } from './words/lookup.ts';
import { now } from './words/now.ts';
import { number } from './words/number.ts';
import { path } from './words/path.ts';
import { ref, refs, type TargetValue } from './words/reference.ts';
import { list, object } from './words/structure.ts';
import { substring } from './words/substring.ts';
import { text } from './words/text.ts';
import { concat, join, split } from './words/texts.ts';

type Compilers = { readonly [W in WordName]: (options: Vocabulary[W], place: SchemaPath) => Word };

/** How each word of the vocabulary is compiled. */
const compilers: Compilers = {
  path,
  const: constant,
  text: (options, place) => text(from(options, place)),
  number: (options, place) => number(from(options, place), optionsOf(options)),
  boolean: (options, place) => boolean(from(options, place), optionsOf(options), place),
  date: (options, place) => date(from(options, place), optionsOf(options), place),
  datetime: (options, place) => datetime(from(options, place), optionsOf(options).format, place),
  lookup: (options, place) => lookup(from(options, place), options, place),
  calculate: ({ of, ...options }, place) => calculate(all(of, at(place, 'of')), options),
  substring: (options, place) => substring(from(options, place), options),
  now: (unit) => now(unit),
  coalesce: (words, place) => coalesce(all(words, place), place),
  when: (options, place) =>
    when(
      options.if,
      compileWord(options.then, at(place, 'then')),
      compileWord(options.else ?? { const: null }, at(place, 'else')),
      place,
    ),
  concat: ({ parts, separator = '' }, place) => concat(all(parts, at(place, 'parts')), separator),
  key: (words, place) => key(all(words, place)),
  join: ({ each, separator }, place) => join(compileWord(each, at(place, 'each')), separator),
  flag: ({ names, otherwise }, place) => flag(named(names, at(place, 'names')), otherwise ?? null),
  flags: (words, place) => flags(named(words, place)),
  split: (options, place) => split(from(options, place), options.separator),
  ref: ({ entity, by, value }, place) =>
    ref(
      typeof entity === 'string' ? entity : compileWord(entity, at(place, 'entity')),
      by,
      targetValue(by, value, at(place, 'value')),
      place,
    ),
  refs: (options, place) => refs(options, compileWord(options.each, at(place, 'each')), place),
  list: ({ from: source, to, fields }, place) => list(source, to, named(fields, place), place),
  object: ({ fields }, place) => object(named(fields, place)),
};

/**
 * Compiles one word, with all words inside it, to closures. Refuses errors that the schema cannot detect: see
 * `DefinitionError`.
 */
export function compileWord(definition: WordDefinition, place: SchemaPath): Word {
  if (typeof definition === 'string') return path(definition, place);
  if ('read' in definition || 'write' in definition) {
    const compiled = (word: WordDefinition | undefined, step: string) =>
      word === undefined ? null : compileWord(word, inside(place, step));
    return directed(compiled(definition.read, 'read'), compiled(definition.write, 'write'));
  }
  const words = Object.keys(definition).filter(isWord);
  const [word] = words;
  if (word === undefined || words.length > 1)
    refuse(place, `expected one function, found ${words.join(' and ') || 'none'}`);
  return compileNamed(word, definition as Partial<Vocabulary>, inside(place, word));
}

function compileNamed<W extends WordName>(word: W, definition: Partial<Vocabulary>, place: SchemaPath): Word {
  const options = definition[word];
  if (options === undefined) refuse(place, 'options are missing');
  return compilers[word](options, place);
}

/**
 * What identifies the target of a `ref`, depending on the kind of target. With `by: _idValue`, a single column is escaped like
 * the key of the target.
 */
function targetValue(by: By, definition: WordDefinition, place: SchemaPath): TargetValue {
  const plain = compileWord(definition, place);
  if (by !== '_idValue' || !place.singleKeys) return { plain, of: () => plain };
  // The depth of the plain word has already been checked.
  const column = compileWord(asKey(definition), { ...place, depth: 0 });
  return { plain, of: (entity) => (place.singleKeys?.has(entity) ? column : plain) };
}

/** The same word with its texts used as the value of one key column; the result of `key` is already an `_idValue`. */
function asKey(definition: WordDefinition): WordDefinition {
  if (typeof definition === 'string') return { key: [definition] };
  if ('read' in definition || 'write' in definition) {
    const { read, write } = definition;
    return { ...(read && { read: asKey(read) }), ...(write && { write: asKey(write) }) };
  }
  if ('key' in definition) return definition;
  if ('coalesce' in definition && definition.coalesce) return { coalesce: definition.coalesce.map(asKey) };
  if ('when' in definition && definition.when) {
    const { then, else: otherwise, ...rest } = definition.when;
    // biome-ignore lint/suspicious/noThenProperty: the vocabulary has this name, and nothing awaits a definition
    return { when: { ...rest, then: asKey(then), ...(otherwise && { else: asKey(otherwise) }) } };
  }
  return { key: [definition] };
}

function isWord(name: string): name is WordName {
  return Object.hasOwn(compilers, name);
}

function from(options: On, place: SchemaPath): Word {
  return typeof options === 'string' ? path(options, place) : compileWord(options.from, at(place, 'from'));
}

function optionsOf<Options>(options: On<Options>): Partial<Options> {
  return typeof options === 'string' ? {} : options;
}

function all(definitions: readonly WordDefinition[], place: SchemaPath): Word[] {
  return definitions.map((definition, index) => compileWord(definition, at(place, String(index))));
}

function named(fields: FieldDefinitions, place: SchemaPath): Words {
  return Object.entries(fields).map(([name, definition]) => {
    segments(name, place);
    return [name, compileWord(definition, at(place, name))];
  });
}
