import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, withComma } from '../../time.ts';
import { anyWorkOrder } from '../../work-order-numbers.ts';
import { technicians } from '../master/people.ts';

const FIRST = 51_001;
const FILLED = 60;

/** H(aken) T(ext) Z(ahl) A(uswahl) S(tand) F(oto) U(nterschrift). */
type Kind = 'H' | 'T' | 'Z' | 'A' | 'S' | 'F' | 'U';

interface Point {
  readonly label: string;
  readonly kind: Kind;
  readonly options?: string;
  readonly unit?: string;
  readonly range?: readonly [low: number, high: number];
}

const tick = (label: string): Point => ({ label, kind: 'H' });
const choice = (label: string, ...options: string[]): Point => ({ label, kind: 'A', options: options.join('|') });
const measure = (label: string, unit: string, low: number, high: number): Point => ({
  label,
  kind: 'Z',
  unit,
  range: [low, high],
});
const stand: Point = { label: 'Hour meter', kind: 'S', unit: 'H', range: [0, 90_000] };
const photo: Point = { label: 'Photo of the finished state', kind: 'F' };
const signature: Point = { label: 'Signature of the shift supervisor', kind: 'U' };
const remarks: Point = { label: 'Remarks', kind: 'T' };

/** Subject of the check, category, points. */
const kinds: readonly (readonly [what: string, category: string, points: readonly Point[]])[] = [
  [
    'Weekly check',
    'CL-PM',
    [tick('Oil level between the marks'), choice('State of the belt', 'good', 'worn', 'broken'), stand, remarks],
  ],
  [
    'Safety check',
    'CL-SAFE',
    [tick('Covers closed'), tick('Emergency stop works'), measure('Stopping time', 'MIN', 0, 1), photo, signature],
  ],
  ['Start of shift', 'CL-SHIFT', [tick('Area clean'), tick('Tools complete'), choice('Noise', 'normal', 'unusual')]],
  [
    'Acceptance of work',
    'CL-ACC',
    [tick('Trial run done'), measure('Energy in the trial run', 'KWH', 1, 40), photo, remarks, signature],
  ],
];
const machines = ['conveyor', 'case packer', 'labeller', 'palletizer', 'press', 'lathe', 'welding robot', 'compressor'];

interface Template {
  readonly plinr: number;
  readonly name: string;
  readonly category: string;
  readonly points: readonly Point[];
}

/** Every check for every sort of machine. */
const templates: readonly Template[] = machines
  .flatMap((machine) => kinds.map(([what, category, points]) => ({ name: `${what}, ${machine}`, category, points })))
  .map((template, index) => ({ ...template, plinr: FIRST + index }));

/** Templates, and lists filled in on work orders; and the points of both. */
export function checklistTables(): SeedTable[] {
  const random_ = random('pruefliste');
  const filled = Array.from({ length: FILLED }, (_, index) => ({
    template: random_.pick(templates),
    plinr: FIRST + 100 + index,
    order: anyWorkOrder(random_),
    days: random_.between(1, 300),
  }));
  return [
    {
      table: 'pruefliste',
      rows: [
        ...templates.map((template) => head(template, template.plinr, null, 400, random_)),
        ...filled.map(({ template, plinr, order, days }) => head(template, plinr, order, days, random_)),
      ],
    },
    {
      table: 'pruefpunkt',
      rows: [
        ...templates.flatMap(({ plinr, points }) =>
          points.map((point, index) => row(plinr, index + 1, point, null, random_)),
        ),
        ...filled.flatMap(({ template, plinr, days }) =>
          template.points.map((point, index) => row(plinr, index + 1, point, days, random_)),
        ),
      ],
    },
  ];
}

function head(
  template: Template,
  plinr: number,
  order: number | null,
  days: number,
  { between, chance }: Random,
): SeedRow {
  return {
    plinr,
    kz: `CL-${plinr}`,
    bez: template.name,
    beschr: chance(0.2) ? 'Only while the machine is stopped' : null,
    stand: between(1, 6),
    kz_vorlage: order === null ? 'J' : 'N',
    gruppe: template.category,
    bezug_art: order === null ? null : 'A',
    bezug: order,
    gesperrt: order === null && chance(0.1) ? 'X' : ' ',
    angelegt: compactDay(daysAgo(days + 1)),
    changed_at: daysAgo(days).toISOString(),
  };
}

/** A point of a template or, with `days`, one that was filled in that many days ago. */
function row(plinr: number, punkt: number, point: Point, days: number | null, random_: Random): SeedRow {
  const { chance, pick } = random_;
  const isDone = days !== null && chance(0.95);
  const [low, high] = point.range ?? [null, null];
  return {
    plinr,
    punkt,
    frage: point.label,
    hinweis: chance(0.15) ? 'With the machine cold' : null,
    art: point.kind,
    auswahl: point.options ?? null,
    eh: point.unit ?? null,
    von: low === null ? null : withComma(low),
    bis: high === null ? null : withComma(high),
    kz_pflicht: point.kind === 'T' ? 'N' : 'J',
    wert: isDone ? answerTo(point, random_) : null,
    kz_ok: point.kind === 'H' ? (isDone ? 'J' : 'N') : null,
    erledigt: isDone ? compactTime(daysAgo(days + 0.01 * (10 - punkt))) : null,
    persnr: isDone ? pick(technicians) : null,
    angelegt: compactDay(daysAgo(days === null ? 400 : days + 1)),
    changed_at: daysAgo(days ?? 400).toISOString(),
  };
}

function answerTo({ kind, options, range }: Point, { between, pick }: Random): string | null {
  if (kind === 'A') return pick((options ?? '').split('|'));
  if (kind === 'T') return pick(['Bearing noise at full speed', 'Nothing to report', 'Belt to be ordered']);
  return range ? String(between(Math.ceil(range[0]), range[1])) : null;
}
