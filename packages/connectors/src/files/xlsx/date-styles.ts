import { unusableFile } from '../file-failure.ts';
import { xmlEvents } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

const PART = 'xl/styles.xml';
/** Limit of Excel, in characters. The expression below takes the square of the length. */
const LONGEST_FORMAT = 255;
/** Limit of Excel. */
const MOST_STYLES = 65_536;

/** Built-in formats of dates and times: 14 to 22, 45 to 47, and those of East Asian versions. */
const isBuiltIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49);

/** Whether the cells with a style show a date or a time, by the number of the style: a date is a number with such a format. */
export async function readDateStyles(file: string, parts: ZipParts): Promise<readonly boolean[]> {
  if (!parts.has(PART)) return [];
  const formats = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isInCells = false;
  const events = xmlEvents(file, parts.bytes(PART), {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') isInCells = true;
      if (name === 'numFmt') formats.set(Number(numFmtId), isDateFormat(formatCode));
      const id = Number(numFmtId);
      if (name === 'xf' && isInCells) styles.push(formats.get(id) ?? isBuiltIn(id));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  for await (const _ of events)
    if (styles.length > MOST_STYLES || formats.size > MOST_STYLES)
      throw unusableFile(file, `has more than ${MOST_STYLES} styles of cells`);
  return styles;
}

/** Whether a format has a letter for a part of a date or time outside of texts, colors and conditions. */
export function isDateFormat(code: string): boolean {
  if (code.length > LONGEST_FORMAT) return false;
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(bare);
}
