import { crc32, deflateRawSync } from 'node:zlib';

/** A part of a ZIP file, or what its list of parts states about it. */
export interface ZipPart {
  readonly content: string | Buffer;
  /** Size that the file declares, if it is wrong. */
  readonly declaredBytes?: number;
}

/** A ZIP file with these parts, by name. */
export function zipOf(parts: Readonly<Record<string, string | ZipPart>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, given] of Object.entries(parts)) {
    const { content, declaredBytes } = typeof given === 'string' ? { content: given, declaredBytes: undefined } : given;
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(declaredBytes ?? bytes.length, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = [Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed];
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), header, place, Buffer.from(name));
    locals.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 4);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, list, Buffer.from('PK\x05\x06'), end]);
}

/** What a workbook contains in addition to its sheets. */
export interface WorkbookParts {
  /** Items of `xl/sharedStrings.xml`. */
  readonly texts?: readonly string[];
  /** Content of `xl/styles.xml`. */
  readonly styles?: string;
  readonly isFrom1904?: boolean;
  readonly hidden?: readonly string[];
}

/** An XLSX workbook, with the XML of the rows of each sheet by its name. */
export function workbookOf(
  sheets: Readonly<Record<string, string>>,
  { texts = [], styles = '<styleSheet/>', isFrom1904 = false, hidden = [] }: WorkbookParts = {},
): Buffer {
  const names = Object.keys(sheets);
  const listed = names.map((name, index) => {
    const state = hidden.includes(name) ? ' state="hidden"' : '';
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="r${index}"/>`;
  });
  const targets = names.map((_, index) => `<Relationship Id="r${index}" Target="worksheets/sheet${index}.xml"/>`);
  return zipOf({
    'xl/workbook.xml': `<workbook><workbookPr date1904="${Number(isFrom1904)}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': styles,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A row of texts that are in its cells. */
export function textRow(...texts: readonly string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
}
