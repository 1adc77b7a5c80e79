import { unusableFile } from '../file-failure.ts';
import { type Cell, type FileRecord, LONGEST_RECORD, MOST_COLUMNS } from '../file-record.ts';
import { serialDate } from './serial-date.ts';
import { unescaped } from './unescaped.ts';
import type { XmlEvents } from './xml-events.ts';

/** Number of rows that a sheet can have. */
const MOST_ROWS = 1_048_576;

/** What cells refer to. */
export interface CellContext {
  readonly texts: readonly string[];
  /** By number of the style. */
  readonly dateStyles: readonly boolean[];
  readonly isFrom1904: boolean;
}

/** Collects the rows of a sheet from the events of its XML. */
export class SheetReader implements XmlEvents {
  readonly #file: string;
  readonly #context: CellContext;
  #rows: FileRecord[] = [];
  #line = 0;
  #cells: Cell[] = [];
  #length = 0;
  #column = -1;
  #type = 'n';
  #style = 0;
  #value = '';
  #isValue = false;
  #phonetic = 0;

  constructor(file: string, context: CellContext) {
    this.#file = file;
    this.#context = context;
  }

  /** The rows since the last call. */
  take(): FileRecord[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, { r, t, s }: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#beginRow(r === undefined ? this.#line + 1 : Number(r));
    else if (name === 'c') this.#beginCell(r === undefined ? this.#column + 1 : columnOf(r), t ?? 'n', Number(s ?? 0));
    else if (name === 'rPh') this.#phonetic += 1;
    else if (name === 'v' || name === 't') this.#isValue = this.#phonetic === 0;
  }

  close(name: string): void {
    if (name === 'row') this.#rows.push({ cells: this.#cells, line: this.#line, isSparse: true });
    else if (name === 'c') this.#endCell();
    else if (name === 'rPh') this.#phonetic -= 1;
    else if (name === 'v' || name === 't') this.#isValue = false;
  }

  text(text: string): void {
    if (!this.#isValue) return;
    this.#value += text;
    this.#lengthen(text.length);
  }

  #lengthen(characters: number): void {
    this.#length += characters;
    if (this.#length > LONGEST_RECORD) {
      throw unusableFile(this.#file, `has a row that is longer than ${LONGEST_RECORD / 1024} KiB (row ${this.#line})`);
    }
  }

  #beginRow(line: number): void {
    if (!(line > this.#line && line <= MOST_ROWS)) {
      throw unusableFile(
        this.#file,
        `is damaged: row ${line} follows row ${this.#line}, and a sheet has at most ${MOST_ROWS}`,
      );
    }
    [this.#line, this.#cells, this.#column, this.#length] = [line, [], -1, 0];
  }

  #beginCell(column: number, type: string, style: number): void {
    [this.#column, this.#type, this.#style, this.#value] = [column, type, style, ''];
  }

  #endCell(): void {
    if (this.#value === '') return;
    const column = this.#column;
    if (!(column >= 0 && column < MOST_COLUMNS)) {
      throw unusableFile(
        this.#file,
        `has ${column + 1} columns in row ${this.#line}, and at most ${MOST_COLUMNS} are read`,
      );
    }
    while (this.#cells.length < column) this.#cells.push(null);
    this.#cells[column] = this.#cellOf(this.#value);
  }

  #cellOf(value: string): Cell {
    const { texts, dateStyles, isFrom1904 } = this.#context;
    if (this.#type === 's') {
      const text = texts[Number(value)] ?? this.#damaged(value);
      this.#lengthen(text.length);
      return text;
    }
    if (this.#type === 'b') return value === '1' || value === 'true';
    if (this.#type !== 'n') return unescaped(value);
    const number = Number(value);
    if (!Number.isFinite(number)) return this.#damaged(value);
    const date = dateStyles[this.#style] ? serialDate(number, isFrom1904) : null;
    // Programs show 15 digits; 0.1 + 0.2 is stored as 0.30000000000000004.
    return date ?? Number(number.toPrecision(15));
  }

  #damaged(value: string): never {
    throw unusableFile(
      this.#file,
      `is damaged: row ${this.#line} has a cell with the unusable content "${value.slice(0, 20)}"`,
    );
  }
}

/** The position of a cell such as C5, from 0. */
function columnOf(place: string): number {
  let column = 0;
  for (const sign of place) {
    const letter = sign.charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > 100_000) break;
  }
  return column - 1;
}
