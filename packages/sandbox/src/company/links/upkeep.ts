import { numberOf } from '../../derived/cases.ts';
import type { SeedRow } from '../../row.ts';
import { by, type Links } from './link.ts';

/** Calendar rule for an interval in days. */
const rules: Readonly<Record<number, string>> = {
  14: 'Every second Monday',
  30: 'First of the month',
  60: 'First of every 2 months',
  90: 'First of every 3 months',
  180: 'First of every 6 months',
};
const MOST_PARTS = 3;

/** Checklists and steps of orders; checklists, calendar rules, materials and resources of maintenance plans. */
export const upkeep: Links = (rows) => {
  const lists = by(rows('pruefliste'), ({ bez, kz_vorlage }) => `${bez} ${kz_vorlage}`);
  const filled = by(rows('pruefliste'), ({ bezug_art, bezug }) => `${bezug_art}${bezug}`);
  const assets = by(rows('anlage'), ({ anlnr }) => anlnr);
  const orders = by(rows('auftrag'), ({ aufid }) => aufid);
  const step = by(
    rows('aufschritt').filter(({ schritt }) => schritt === 20),
    ({ aufid }) => `A${aufid}`,
  );
  const stepOf = ({ bezug_art, bezug }: SeedRow) => {
    const found = step.get(`${bezug_art}${bezug}`);
    return { schritt: found ? `${found.aufid}/${found.schritt}` : null };
  };
  const usedBy = (table: string, key: string) => {
    const ofPlan = Map.groupBy(
      rows(table).filter(({ bezug_art }) => bezug_art === 'A'),
      ({ bezug }) => orders.get(String(bezug))?.wpnr,
    );
    return ({ wpnr }: SeedRow) =>
      ofPlan
        .get(wpnr)
        ?.slice(0, MOST_PARTS)
        .map((row) => row[key])
        .join(' ') ?? null;
  };
  const material = usedBy('aufmat', 'matnr');
  const resources = usedBy('aufres', 'resnr');
  return {
    auftrag: ({ aufid }) => ({ plinr: filled.get(`A${aufid}`)?.plinr ?? null }),
    aufmat: stepOf,
    aufres: stepOf,
    wplan: (row) => {
      const [first] = String(row.anlagen).split(' ');
      const sort = String(assets.get(String(first))?.bez)
        .replace(/ \d+$/, '')
        .toLowerCase();
      const check = row.art === 'INSP' ? 'Safety check' : 'Weekly check';
      const list = lists.get(`${check}, ${sort} J`);
      return { plinr: list?.plinr ?? null, material: material(row), einsatz: resources(row) };
    },
    wausloeser: ({ art, abstand }) => ({
      wdhnr: art === 'T' ? numberOf('EventRecurrence', String(rules[Number(abstand)])) : null,
    }),
  };
};
