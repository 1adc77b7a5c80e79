import { join } from 'node:path';

export type SeriesName = '6.0' | '8.2';

/** A series of Tryton, and where its programs are. */
export interface Series {
  readonly name: SeriesName;
  /** Interpreter that has this Tryton. */
  readonly python: string;
  /** Folder of its programs. */
  readonly programs: string;
  /** File that pins its packages; those of Debian are pinned by the release. */
  readonly pinned: string | null;
  /** Path of calls, below the name of the database. */
  readonly calls: '' | 'rpc/';
  /** How the modules' currencies and countries are imported: programs of Tryton, or files of this folder, in sequence. */
  readonly imports: readonly string[];
  readonly names: SeriesNames;
}

/** What the seeds need and what has different names in each series. */
export interface SeriesNames {
  /** Unit of a move, a production, and the inputs and outputs of a bill. */
  readonly unit: string;
  /** Button that completes shipments and productions. */
  readonly done: string;
  /** Field of a fiscal year, and the model of the sequence. */
  readonly moveSequence: { readonly field: string; readonly model: string };
  /** Codes of the accounts in the chart of the series that the seeds rename, as in 6.0. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Field with the text of a payment, and the buttons that lead to its approval. */
  readonly payment: { readonly text: string; readonly approval: readonly string[] };
  /** Fields of a new vendor's shipment, each with the field of the warehouse that has its value. */
  readonly shipmentIn: Readonly<Record<string, string>>;
}

const venv = join(import.meta.dirname, '../../.tools/tryton-8.2/bin');

const all: Readonly<Record<SeriesName, Series>> = {
  '6.0': {
    name: '6.0',
    // Debian's interpreter: a different one earlier in PATH has no Tryton.
    python: '/usr/bin/python3',
    programs: '/usr/bin',
    pinned: null,
    calls: '',
    imports: ['trytond_import_currencies', 'trytond_import_countries'],
    names: {
      unit: 'uom',
      done: 'done',
      moveSequence: { field: 'post_move_sequence', model: 'ir.sequence' },
      accounts: {},
      payment: { text: 'description', approval: ['approve'] },
      shipmentIn: {},
    },
  },
  '8.2': {
    name: '8.2',
    python: join(venv, 'python'),
    programs: venv,
    pinned: join(import.meta.dirname, 'requirements.txt'),
    calls: 'rpc/',
    imports: ['trytond_import_currencies', 'import-countries.py'],
    names: {
      unit: 'unit',
      done: 'do',
      moveSequence: { field: 'move_sequence', model: 'ir.sequence.strict' },
      accounts: { 'Main Cash': '1.1.1', 'Main Tax': '2.2.3' },
      payment: { text: 'reference', approval: ['submit', 'approve'] },
      shipmentIn: { warehouse_input: 'input_location', warehouse_storage: 'storage_location' },
    },
  },
};

/** A series by name. Defaults to that of the environment (`TRYTON_SERIES`), or 6.0. */
export function seriesOf(name: string = process.env.TRYTON_SERIES ?? '6.0'): Series {
  if (!Object.hasOwn(all, name)) throw new Error(`There is no series ${name}: use ${Object.keys(all).join(' or ')}`);
  return all[name as SeriesName];
}
