import type { Rpc } from '../../../test-systems/tryton/rpc.ts';

/** Adds a second payable account, so that the account of a party can differ from the default. Returns its id. */
export async function addPayableAccount(rpc: Rpc): Promise<number> {
  const fields = ['type', 'company', 'reconcile', 'party_required'];
  const { id: _, 'type.': __, ...values } = await rpc.one('account.account', [['type.payable', '=', true]], fields);
  return rpc.createOne('account.account', { ...values, name: 'Trade payables', code: '2999' });
}
