import type { Fields, Rpc } from '../../../test-systems/tryton/rpc.ts';

const plain = [
  'name',
  'code',
  'active',
  'supplier_lead_time',
  'supplier_payment_term.name',
  'account_payable',
  'account_receivable',
  'categories.name',
];

/** A party in Tryton with all its contact mechanisms and identifiers. */
export async function partyInTryton(rpc: Rpc, id: number): Promise<Fields> {
  const everything = { ...rpc.context, active_test: false };
  const [party] = (await rpc.raw('model.party.party.read', [[id], plain, everything])) as Fields[];
  const ofParty = (model: string, fields: readonly string[]) => rpc.search(model, [['party', '=', id]], fields);
  const ways = await ofParty('party.contact_mechanism', ['type', 'value']);
  const identifiers = await ofParty('party.identifier', ['code']);
  return {
    ...party,
    // SQLite has no booleans.
    active: Boolean(party?.active),
    contacts: Object.fromEntries(ways.map(({ type, value }) => [String(type), value ?? null])),
    contactCount: ways.length,
    taxNumbers: identifiers.map(({ code }) => code ?? null),
  };
}
