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

/** Fields of an invoice that Odoo does not change once it is posted. */
const READ_ONLY = ['invoice_line_ids', 'invoice_date', 'partner_id', 'invoice_payment_term_id', 'currency_id'];

/** `write` */
export function written(database: Database, model: string, rows: readonly Values[], values: Values): Answer {
  const refused = Object.keys(values).filter((field) => READ_ONLY.includes(field));
  if (refused.length > 0 && rows.some(({ state }) => state === 'posted')) {
    const message = `You cannot modify the following readonly fields on a posted move: ${refused.join(', ')}`;
    return fail(422, 'odoo.exceptions.UserError', message);
  }
  for (const row of rows) apply(database, model, row, values);
  return { status: 200, body: true };
}

/** States in which rows of a model can be deleted. */
const DELETABLE: Readonly<Record<string, readonly string[]>> = {
  'purchase.order': ['cancel'],
  'sale.order': ['draft', 'cancel'],
  'account.move': ['draft', 'cancel'],
};

/** `unlink` */
export function unlinked(database: Database, model: string, rows: readonly Values[]): Answer {
  const deletable = DELETABLE[model];
  if (deletable && rows.some(({ state }) => !deletable.includes(String(state)))) {
    return fail(422, 'odoo.exceptions.UserError', 'In order to delete this, you must cancel it first.');
  }
  for (const { id } of rows) database.get(model)?.delete(Number(id));
  return { status: 200, body: true };
}

/**
 * A method of a button: the states that it leads from to another, and the error in other states. Without an error, it does nothing
 * in them.
 */
interface Button {
  readonly from: readonly string[];
  readonly to: string;
  readonly otherwise?: string;
}

const BUTTONS: Readonly<Record<string, Readonly<Record<string, Button>>>> = {
  'purchase.order': {
    button_confirm: { from: ['draft', 'sent'], to: 'purchase' },
    button_cancel: { from: ['draft', 'sent', 'to approve', 'purchase', 'cancel'], to: 'cancel' },
    button_draft: { from: ['draft', 'sent', 'to approve', 'purchase', 'cancel'], to: 'draft' },
  },
  'sale.order': {
    action_confirm: {
      from: ['draft', 'sent'],
      to: 'sale',
      otherwise: 'Some orders are not in a state requiring confirmation.',
    },
    action_cancel: { from: ['draft', 'sent', 'sale', 'cancel'], to: 'cancel' },
    action_draft: { from: ['sent', 'cancel'], to: 'draft' },
  },
  'account.move': {
    action_post: { from: ['draft'], to: 'posted', otherwise: 'The entry must be in draft.' },
    button_cancel: {
      from: ['draft', 'posted'],
      to: 'cancel',
      otherwise: 'Only draft journal entries can be cancelled.',
    },
    button_draft: {
      from: ['posted', 'cancel'],
      to: 'draft',
      otherwise: 'Only posted/cancelled journal entries can be reset to draft.',
    },
  },
};

export function pressed(model: string, rows: readonly Values[], method: string): Answer {
  const button = BUTTONS[model]?.[method];
  if (!button) return fail(404, 'werkzeug.exceptions.NotFound', `The method '${model}.${method}' does not exist`);
  const pressable = rows.filter(({ state }) => button.from.includes(String(state)));
  if (button.otherwise !== undefined && pressable.length < rows.length)
    return fail(422, 'odoo.exceptions.UserError', button.otherwise);
  for (const row of pressable) {
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
