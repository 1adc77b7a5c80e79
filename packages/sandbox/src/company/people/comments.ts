import { createHash } from 'node:crypto';
import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { machines } from '../maintenance/assets.ts';
import { articles } from '../master/items.ts';
import { customers, vendors } from '../master/partners.ts';
import { userNumbers } from '../master/users.ts';
import { drawing, note, page, picture, tone } from './files.ts';

const FIRST_COMMENT = 540_001;
const FIRST_FILE = 550_001;
const THREADS = 260;
const FILES = 320;
const FIRST_PURCHASE_ORDER = 4_500_001_001;
const FIRST_INVOICE = 6_000_001_001;
const FILED_OF_EACH = 8;
const firstOnes = (first: number) => Array.from({ length: FILED_OF_EACH }, (_, index) => first + index);
/** Kinds of documents whose first ones have their own file, and their numbers. */
const filed: readonly (readonly [kind: Subject[0], numbers: readonly number[]])[] = [
  ['R', firstOnes(FIRST_INVOICE)],
  ['P', firstOnes(630_001)],
  ['M', firstOnes(86_001)],
  ['W', firstOnes(84_001)],
];

/** Rows of other areas that comments and files are about. */
export interface Subjects {
  readonly steps: readonly SeedRow[];
  readonly requisitions: readonly SeedRow[];
  readonly salesOrders: readonly SeedRow[];
}

/** Letter of the kind of record, its number and, for a step of a work order, the number within the order. */
type Subject = readonly [
  kind: 'L' | 'K' | 'A' | 'B' | 'G' | 'T' | 'N' | 'R' | 'Q' | 'P' | 'M' | 'W' | 'S' | 'V',
  number: number,
  step?: number,
];

interface Comment {
  readonly notiznr: number;
  readonly subject: Subject;
  readonly days: number;
  readonly answers: number | null;
}

/** Comments on records, and the files attached to records, comments or steps of work orders. */
export function commentTables({ steps, requisitions, salesOrders }: Subjects): SeedTable[] {
  const random_ = random('notiz');
  const sold = salesOrders.map(({ vknr }) => Number(vknr));
  const comments = threads(sold, random_);
  const files = Array.from({ length: FILES }, (_, index) => {
    const comment = index < 12 ? comments[index * 9] : undefined;
    return file(FIRST_FILE + index, comment ? ['N', comment.notiznr] : subject(sold, random_), random_);
  });
  const documents = filed.flatMap(([kind, numbers]) => numbers.map((number): Subject => [kind, number]));
  documents.push(...requisitions.slice(0, FILED_OF_EACH).map(({ banfnr }): Subject => ['Q', Number(banfnr)]));
  documents.push(...steps.slice(0, FILED_OF_EACH).map(stepSubject));
  files.push(...documents.map((document, index) => file(FIRST_FILE + FILES + index, document, random_)));
  return [
    { table: 'notiz', rows: comments.map((comment) => commentRow(comment, random_)) },
    { table: 'anhang', rows: files },
  ];
}

function stepSubject({ aufid, schritt }: SeedRow): Subject {
  return ['S', Number(aufid), Number(schritt)];
}

function subject(salesOrders: readonly number[], { between, pick, weighted }: Random): Subject {
  switch (weighted({ L: 23, K: 18, A: 23, B: 13, V: 5, R: 3, G: 10, T: 5 })) {
    case 'L':
      return ['L', pick(vendors).number];
    case 'K':
      return ['K', pick(customers).number];
    case 'A':
      return ['A', anyWorkOrder({ between })];
    case 'B':
      return ['B', FIRST_PURCHASE_ORDER + between(0, 1_499)];
    case 'V':
      return ['V', pick(salesOrders)];
    case 'R':
      return ['R', pick(firstOnes(FIRST_INVOICE))];
    case 'G':
      return ['G', pick(machines).anlnr];
    default:
      return ['T', pick(articles).artid];
  }
}

/** Comments that begin a thread, each followed by its replies; the first one has a reply. */
function threads(salesOrders: readonly number[], random_: Random): readonly Comment[] {
  const made: Comment[] = [];
  for (let thread = 0; thread < THREADS; thread++) {
    const about = subject(salesOrders, random_);
    let days = random_.between(2, 400) + random_.between(0, 1_439) / 1_440;
    let answers: number | null = null;
    const length = thread === 0 ? 2 : random_.between(1, 3);
    for (let turn = 0; turn < length; turn++) {
      const notiznr = FIRST_COMMENT + made.length;
      made.push({ notiznr, subject: about, days, answers });
      answers = notiznr;
      days = Math.max(days - random_.between(10, 900) / 1_440, 0.1);
    }
  }
  return made;
}

const remarks: Readonly<Record<Subject[0], readonly string[]>> = {
  L: ['Delivers on Tuesdays only.', 'Has required prepayment since spring.', 'New contact from December.'],
  K: ['Wants certificates with every delivery.', 'Annual meeting in January.', 'Complained about the packaging.'],
  A: ['Part ordered, arrives on Friday.', 'Access requires a permit.', 'Same fault as in May.', 'Needs two people.'],
  B: ['Confirmed by phone.', 'Second reminder sent.', 'Price agreed until the end of the year.'],
  G: ['Runs quieter since the overhaul.', 'Spare drive is in the storeroom.'],
  T: ['Successor is being tested.', 'Store upright.'],
  V: ['Wants to be called before the delivery.', 'Partial delivery is agreed.'],
  R: ['Price difference under review.', 'Sent again by email.'],
  N: [],
  Q: [],
  P: [],
  M: [],
  W: [],
  S: [],
};
const replies = [
  'Thank you, noted.',
  'Done.',
  'Who is taking care of this?',
  'The shift supervisor has been informed.',
];

function commentRow(
  { notiznr, subject: [kind, number], days, answers }: Comment,
  { between, chance, pick }: Random,
): SeedRow {
  const isEdited = chance(0.08);
  const changed = daysAgo(isEdited ? Math.max(days - between(5, 600) / 1_440, 0.05) : days).toISOString();
  return {
    notiznr,
    kz: `N-${notiznr}`,
    bezug_art: kind,
    bezug: number,
    text: answers === null ? pick(remarks[kind]) : pick(replies),
    kz_intern: chance(0.8) ? 'J' : 'N',
    antwort_auf: answers,
    bennr: pick(userNumbers),
    geaendert: isEdited ? changed : null,
    angelegt: compactDay(daysAgo(days)),
    changed_at: changed,
  };
}

interface Sort {
  readonly stem: string;
  readonly type: string;
  /** Letter of the kind. */
  readonly art: string;
  readonly ending: string;
  readonly bytes: (number: number) => Buffer;
}

const sorts: readonly Sort[] = [
  { stem: 'nameplate', type: 'image/png', art: 'B', ending: 'png', bytes: picture },
  { stem: 'damage', type: 'image/png', art: 'B', ending: 'png', bytes: picture },
  {
    stem: 'certificate',
    type: 'application/pdf',
    art: 'D',
    ending: 'pdf',
    bytes: (number) => page('Certificate', number),
  },
  {
    stem: 'confirmation',
    type: 'application/pdf',
    art: 'D',
    ending: 'pdf',
    bytes: (number) => page('Confirmation', number),
  },
  { stem: 'report', type: 'text/plain', art: 'D', ending: 'txt', bytes: (number) => note('Report', number) },
  { stem: 'assembly', type: 'image/svg+xml', art: 'Z', ending: 'svg', bytes: drawing },
  { stem: 'bearing-noise', type: 'audio/wav', art: 'T', ending: 'wav', bytes: tone },
];
const host = 'https://files.northwind.example';

function file(anhnr: number, [kind, number, step]: Subject, { between, chance, pick }: Random): SeedRow {
  const { stem, type, art, ending, bytes } = pick(sorts);
  const isLink = chance(0.05);
  const name = `${stem}-${number}.${ending}`;
  const content = isLink ? null : bytes(number);
  const days = between(1, 1_200);
  return {
    anhnr,
    kz: `AT-${anhnr}`,
    name: isLink ? `Data sheet ${number}` : name,
    beschr: chance(0.2) ? 'As found' : null,
    bezug_art: kind,
    bezug: number,
    ziel: step === undefined ? null : `${number}/${step}`,
    mime: isLink ? 'text/html' : type,
    art: isLink ? 'L' : art,
    bytes: content?.length ?? null,
    pruefsumme: content && createHash('sha256').update(content).digest('hex'),
    pfad: isLink ? `https://datasheets.example/${number}` : null,
    vorschau: art === 'B' && !isLink ? `${host}/thumbs/${anhnr}.png` : null,
    kz_verborgen: chance(0.3) ? 'J' : 'N',
    bennr: pick(userNumbers),
    inhalt: content && `\\x${content.toString('hex')}`,
    angelegt: compactDay(daysAgo(days)),
    changed_at: daysAgo(days).toISOString(),
  };
}
