import type { SystemError } from '../system-error.ts';
import { unusableFile } from './file-failure.ts';

const contents: readonly (readonly [form: RegExp, problem: string])[] = [
  [/^PK[^\P{Cc}]{2}/u, 'is an XLSX or ZIP file, not CSV. Set the option format to xlsx'],
  [/^ÐÏ[^\P{Cc}]à/u, 'is an old Excel workbook (.xls), not CSV. Save it as .xlsx or CSV'],
  [/^%PDF-/, 'is a PDF document, not CSV'],
  [
    /^\s*<(!doctype html|html|head|body|table|meta)\b/i,
    'contains HTML, not CSV. An export often ends so if its login failed',
  ],
  [/^\s*<\?xml\b/i, 'contains XML, not CSV'],
  [/^\s*[[{]\s*["{]/, 'contains JSON, not CSV'],
];

/** @throws SystemError `rejected` if a text is evidently not CSV, by its beginning */
export function refuseOtherContent(name: string, head: string): void {
  const problem = contents.find(([form]) => form.test(head))?.[1];
  if (problem !== undefined) throw failure(name, problem);
}

function failure(name: string, problem: string): SystemError {
  return unusableFile(name, problem);
}
