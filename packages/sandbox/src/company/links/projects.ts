import type { SeedRow } from '../../row.ts';
import { THIS_YEAR } from '../../time.ts';
import { by, type Links, type Rows } from './link.ts';

type Key = SeedRow[string] | undefined;

/**
 * Quotes, orders, production and settlements for the customers of projects, and the budgets of departments for
 * projects.
 */
export const projects: Links = (rows) => {
  const projectOf = by(
    rows('projekt').filter(({ kdnr }) => kdnr !== null),
    ({ kdnr }) => kdnr,
  );
  const ofCustomer = (kdnr: Key) => projectOf.get(String(kdnr))?.projnr ?? null;
  const head = ({ kdnr }: SeedRow) => ({ projnr: ofCustomer(kdnr) });
  const quoted = by(rows('angkopf'), ({ angnr }) => angnr);
  const sold = by(rows('vkkopf'), ({ vknr }) => vknr);
  const orderedFor = (vknr: Key) => ofCustomer(sold.get(String(vknr))?.kdnr);
  const product = new Map(
    rows('vkpos').flatMap(({ artid, vknr }) => (orderedFor(vknr) === null ? [] : [[artid, orderedFor(vknr)]])),
  );
  const ownProject = rows('projekt').find(({ kdnr }) => kdnr === null)?.projnr ?? null;
  return {
    angkopf: head,
    angpos: ({ angnr }) => ({ projnr: ofCustomer(quoted.get(String(angnr))?.kdnr) }),
    vkkopf: head,
    vkpos: ({ vknr }) => ({ projnr: orderedFor(vknr) }),
    // Some machines are made for an internal project.
    fauf: ({ vknr, faufnr }) => ({ projnr: orderedFor(vknr) ?? (Number(faufnr) % 25 === 0 ? ownProject : null) }),
    stueckliste: ({ artid, vorgabe }) => ({ projnr: vorgabe === 'J' ? (product.get(artid) ?? null) : null }),
    rechkopf: ({ belegart, kdnr, projnr }) => ({ projnr: belegart === 'D' ? ofCustomer(kdnr) : (projnr ?? null) }),
    ...ofBudgets(rows),
    ...ofStock(rows, ownProject),
  };
};

/** Projects that run next year are in the budget of their department. */
function ofBudgets(rows: Rows): ReturnType<Links> {
  const running = by(
    rows('projekt').filter(({ status }) => status === '30'),
    ({ kst }) => kst,
  );
  const planned = new Map(
    rows('budget').map(({ budnr, kst, von }) => {
      const project = String(von).endsWith(String(THIS_YEAR + 1)) ? running.get(String(kst))?.projnr : null;
      return [budnr, project ?? null];
    }),
  );
  const link = ({ budnr }: SeedRow) => ({ projnr: planned.get(budnr) ?? null });
  return { budget: link, budgetpos: link };
}

/** Inventory documents belong to the project of their order, some corrections to an internal project. */
function ofStock(rows: Rows, ownProject: SeedRow[string]): ReturnType<Links> {
  const sources = new Map([
    ['W', by(rows('auftrag'), ({ aufid }) => aufid)],
    ['B', by(rows('bestkopf'), ({ bestnr }) => bestnr)],
  ]);
  return {
    lagerbeleg: ({ art, lbnr, urspr_art, urspr }) => {
      if (art === 'KO') return { projnr: Number(lbnr) % 5 === 0 ? ownProject : null };
      return { projnr: sources.get(String(urspr_art))?.get(String(urspr))?.projnr ?? null };
    },
  };
}

/** Payments and credit notes belong to the project of the invoice that they settle. */
export const settledProjects: Links = (rows) => {
  const byCode = by(rows('rechkopf'), ({ belegnr }) => belegnr);
  const byNumber = by(rows('rechkopf'), ({ rechnr }) => rechnr);
  const codes = by(rows('projekt'), ({ projnr }) => projnr);
  return {
    zahlung: ({ zuordnung }) => {
      const [first] = zuordnung as readonly SeedRow[];
      return { projnr: byCode.get(String(first?.beleg))?.projnr ?? null };
    },
    gutschrift: ({ rechnr, positionen }) => {
      const projnr = byNumber.get(String(rechnr))?.projnr ?? null;
      const projkz = codes.get(String(projnr))?.projkz ?? null;
      return { projnr, positionen: (positionen as readonly SeedRow[]).map((line) => ({ ...line, projkz })) };
    },
  };
};
