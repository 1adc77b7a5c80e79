import type { Answer } from '../documented-server.ts';
import { add, type Database, MODELS, now, type Values } from './database.ts';
import { fail } from './failures.ts';

/** `create`: returns the ids. */
export function created(database: Database, model: string, given: readonly Values[]): Answer {
  const { required = [] } = MODELS[model] ?? {};
  for (const values of given) {
    const unknown = Object.keys(values).find((field) => !(field in (MODELS[model]?.fields ?? {})));
    if (unknown) return fail(422, 'builtins.ValueError', `Invalid field '${unknown}' in '${model}'`);
    const relation = Object.keys(MODELS[model]?.relations ?? {}).find((field) => typeof values[field] === 'string');
    if (relation)
      return fail(422, 'builtins.ValueError', `Wrong value for ${model}.${relation}: '${values[relation]}'`);
    const missing = required.find((field) => !values[field]);
    if (missing)
      return fail(
        422,
        'odoo.exceptions.ValidationError',
        `The operation cannot be completed: Create/update: a mandatory field is not set. Missing required value for the field '${missing}'`,
      );
  }
  const ids = given.map((values) => {
    const row = add(database, model, {});
    apply(database, model, row, values);
    return row.id;
  });
  return { status: 200, body: ids };
}

/** `write` */
export function written(database: Database, model: string, rows: readonly Values[], values: Values): Answer {
  if (rows.some(({ state }) => state === 'posted'))
    return fail(422, 'odoo.exceptions.UserError', 'You cannot modify a posted entry. Reset it to draft first.');
  for (const row of rows) apply(database, model, row, values);
  return { status: 200, body: true };
}

/** `unlink` */
export function unlinked(database: Database, model: string, rows: readonly Values[]): Answer {
  if (rows.some(({ state }) => ['purchase', 'sale', 'posted'].includes(String(state)))) {
    return fail(422, 'odoo.exceptions.UserError', 'In order to delete this, you must cancel it first.');
  }
  for (const { id } of rows) database.get(model)?.delete(Number(id));
  return { status: 200, body: true };
}

/** Methods of buttons, and the states that they lead to from others. */
const BUTTONS: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>> = {
  button_confirm: { from: ['draft', 'sent'], to: 'purchase' },
  action_confirm: { from: ['draft', 'sent'], to: 'sale' },
  action_post: { from: ['draft'], to: 'posted' },
  button_cancel: { from: ['draft', 'sent', 'to approve', 'purchase'], to: 'cancel' },
  action_cancel: { from: ['draft', 'sent', 'sale'], to: 'cancel' },
  button_draft: { from: ['cancel', 'posted'], to: 'draft' },
  action_draft: { from: ['cancel'], to: 'draft' },
};

export function pressed(_database: Database, model: string, rows: readonly Values[], method: string): Answer {
  const button = BUTTONS[method];
  if (!button) return fail(404, 'werkzeug.exceptions.NotFound', `The method '${model}.${method}' does not exist`);
  for (const row of rows) {
    if (!button.from.includes(String(row.state)))
      return fail(422, 'odoo.exceptions.UserError', `This is not possible in the state ${row.state}.`);
    Object.assign(row, { state: button.to, write_date: now() });
    if (method === 'action_post')
      Object.assign(row, { name: `INV/2026/0000${row.id}`, amount_residual: row.amount_total });
  }
  return { status: 200, body: true };
}

/** Sets values; a list of lines is changed by commands: [0, 0, values], [1, id, values], [2, id, 0]. */
function apply(database: Database, model: string, row: Values, given: Values): void {
  const { lines } = MODELS[model] ?? {};
  for (const [field, value] of Object.entries(given)) {
    if (field !== lines?.field)
      row[field] =
        value === false && MODELS[model]?.fields[field] !== false && MODELS[model]?.fields[field] !== true
          ? null
          : value;
  }
  row.write_date = now();
  if (!lines || !Array.isArray(given[lines.field])) return;
  const ids = [...(row[lines.field] as number[])];
  for (const [command, id, values] of given[lines.field] as [number, number, Values][]) {
    if (command === 0) ids.push(add(database, lines.model, { ...values, [lines.parent]: row.id }).id);
    else if (command === 1) Object.assign(database.get(lines.model)?.get(id) ?? {}, values, { write_date: now() });
    else {
      database.get(lines.model)?.delete(id);
      ids.splice(ids.indexOf(id), 1);
    }
  }
  row[lines.field] = ids;
  let total = 0;
  for (const id of ids) {
    const line = database.get(lines.model)?.get(id) ?? {};
    line.price_subtotal = Number(line[lines.quantity]) * Number(line.price_unit);
    total += Number(line.price_subtotal);
  }
  Object.assign(row, { amount_untaxed: total, amount_total: total });
}
