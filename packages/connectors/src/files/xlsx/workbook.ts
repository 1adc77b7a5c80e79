import { unusableFile } from '../file-failure.ts';
import { someNames } from '../header-row.ts';
import { xmlEvents } from './xml-events.ts';
import type { ZipParts } from './zip-parts.ts';

/** The sheets of a workbook. */
export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Whether days are counted from 1904, as in old workbooks of Macs. */
  readonly isFrom1904: boolean;
}

interface Sheet {
  readonly name: string;
  /** Name of its part. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** @throws SystemError `rejected` if it is not a workbook */
export async function readWorkbook(file: string, parts: ZipParts): Promise<Workbook> {
  const targets = await readTargets(file, parts);
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
    if (name !== 'sheet') return;
    const part = targets.get(attributes['r:id'] ?? '') ?? '';
    sheets.push({ name: attributes.name ?? '', part, isHidden: (attributes.state ?? 'visible') !== 'visible' });
  };
  for await (const _ of xmlEvents(file, parts.bytes('xl/workbook.xml'), { open }));
  return { sheets, isFrom1904 };
}

/** Parts by the ids of relationships. */
async function readTargets(file: string, parts: ZipParts): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  const open = (name: string, { Id, Target }: Readonly<Record<string, string>>) => {
    if (name !== 'Relationship' || Id === undefined || Target === undefined) return;
    targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
  };
  for await (const _ of xmlEvents(file, parts.bytes('xl/_rels/workbook.xml.rels'), { open }));
  return targets;
}

/** The part of a sheet: the one with this name, or the first one that is not hidden. @throws SystemError `rejected` */
export function partOfSheet(file: string, { sheets }: Workbook, wanted: string | undefined): string {
  const found = sheets.find(({ name, isHidden }) => (wanted === undefined ? !isHidden : name === wanted));
  if (found) return found.part;
  const names = `Its sheets are ${someNames(sheets.map(({ name }) => name))}`;
  throw unusableFile(
    file,
    wanted === undefined ? `has no sheet that is not hidden. ${names}` : `has no sheet "${wanted}". ${names}`,
  );
}
