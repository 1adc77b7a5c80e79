import { unusableFile } from '../file-failure.ts';
import { unescaped } from './unescaped.ts';
import { xmlEvents } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

const PART = 'xl/sharedStrings.xml';
const MOST_CHARACTERS = 50_000_000;
const MOST_TEXTS = 2_000_000;

/** The texts that cells refer to by number. They must be in memory, because cells refer to them in any order. */
export async function readSharedStrings(file: string, parts: ZipParts): Promise<readonly string[]> {
  if (!parts.has(PART)) return [];
  const texts: string[] = [];
  let [current, characters, isText, phonetic] = ['', 0, false, 0];
  const events = xmlEvents(file, parts.bytes(PART), {
    open(name) {
      if (name === 'si') current = '';
      if (name === 'rPh') phonetic += 1;
      isText = name === 't' && phonetic === 0;
    },
    close(name) {
      if (name === 'rPh') phonetic -= 1;
      if (name === 'si') texts.push(unescaped(current));
      isText = false;
    },
    text(text) {
      if (!isText) return;
      current += text;
      characters += text.length;
    },
  });
  for await (const _ of events) {
    if (characters <= MOST_CHARACTERS && texts.length <= MOST_TEXTS) continue;
    throw unusableFile(
      file,
      `contains more than ${MOST_TEXTS} different texts, or ${MOST_CHARACTERS} characters. Export it as CSV`,
    );
  }
  return texts;
}
