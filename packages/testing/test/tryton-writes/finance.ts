import { expect } from 'vitest';
import type { Effect, Recipe, Recipes } from '../write-recipe.ts';
import type { Seeded } from './seeded.ts';
import { amount, date, forReason, inModel, nextCode, ref, status } from './values.ts';

/** Invoices and payments. */
export function finance(seeded: Seeded): Recipes {
  return { Payment: paymentRecipe(seeded), Invoice: invoiceRecipe(seeded) };
}

/** The field of a payment that contains its description, in this series. */
function paymentText(series: string): string {
  return series === '6.0' ? 'description' : 'reference';
}

function paymentRecipe({ company, vendor, customer, method, rpc, series }: Seeded): Recipe {
  return {
    ...inModel(rpc, 'account.payment', `kind party amount date journal company ${paymentText(series)}`),
    create: () => ({
      body: {
        direction: 'outgoing',
        vendor: ref(vendor),
        transactionDate: '2026-07-04',
        amount: 12.5,
        paymentMethod: ref(method),
        organization: ref(company),
        description: 'Advance',
      },
      found: {
        kind: 'payable',
        party: vendor,
        amount: amount('12.5'),
        date: date(2026, 7, 4),
        journal: method,
        company,
        [paymentText(series)]: 'Advance',
      },
    }),
    variants: [
      () => ({
        body: {
          direction: 'incoming',
          customer: ref(customer),
          transactionDate: '2026-07-05',
          amount: 7.25,
          paymentMethod: ref(method),
        },
        found: { kind: 'receivable', party: customer, amount: amount('7.25') },
      }),
    ],
  };
}

function invoiceRecipe(seeded: Seeded): Recipe {
  const { rpc, customer, receivable, priced } = seeded;
  return {
    ...inModel(
      rpc,
      'account.invoice',
      'type state party description reference comment invoice_date payment_term currency account ' +
        'company lines.sequence lines.type lines.product lines.description lines.quantity lines.unit ' +
        'lines.unit_price lines.account lines.taxes lines.note',
    ),
    create: () => vendorInvoice(seeded),
    variants: [
      () => ({
        body: {
          invoiceType: 'accounts_receivable',
          customer: ref(customer),
          invoiceDate: '2026-07-02',
          lines: [priced],
        },
        found: { type: 'out', party: customer, account: receivable },
      }),
    ],
    update: () => ({
      body: { description: 'Plates for hall B', lines: [{ ...priced, quantity: 5 }] },
      found: { description: 'Plates for hall B', 'lines.': [{ quantity: 5 }] },
      kept: { comment: 'Checked on arrival' },
    }),
    actions: {
      submit: () => status('validated'),
      approve: () => status('posted', { after: ['submit'] }),
      cancel: () => status('cancelled', forReason),
      'set-status': () => status('validated', { body: { statusCategory: 'pending_approval' } }),
    },
  };
}

function vendorInvoice(seeded: Seeded): Effect {
  const { company, vendor, usd, term, payable, expense, salesTax, priced, storedLine } = seeded;
  return {
    body: {
      invoiceType: 'accounts_payable',
      vendor: ref(vendor),
      invoiceDate: '2026-07-01',
      reference: nextCode('RE'),
      description: 'Plates',
      notes: 'Checked on arrival',
      organization: ref(company),
      paymentTerm: ref(term),
      currency: ref(usd),
      account: ref(payable),
      lines: [{ ...priced, account: ref(expense), taxRate: ref(salesTax), notes: 'On pallets' }],
    },
    found: {
      type: 'in',
      state: 'draft',
      party: vendor,
      reference: expect.stringMatching(/^RE-/),
      description: 'Plates',
      comment: 'Checked on arrival',
      invoice_date: date(2026, 7, 1),
      payment_term: term,
      currency: usd,
      account: payable,
      company,
      'lines.': [
        {
          ...{ ...storedLine, type: 'line', unit_price: amount('25') },
          ...{ account: expense, taxes: [salesTax], note: 'On pallets' },
        },
      ],
    },
  };
}
