import type { Recipe, Recipes } from '../write-recipe.ts';
import type { Seeded } from './seeded.ts';
import { amount, date, inModel, no, ref, yes } from './values.ts';

/** Master data of bookkeeping. */
export function masters(seeded: Seeded): Recipes {
  return {
    PaymentMethod: paymentMethodRecipe(seeded),
    PaymentTerm: paymentTermRecipe(seeded),
    TaxRate: taxRateRecipe(seeded),
  };
}

function paymentMethodRecipe({ rpc }: Seeded): Recipe {
  return {
    ...inModel(rpc, 'account.payment.journal', 'name active process_method'),
    create: () => ({
      body: { name: 'Cheque', isActive: true },
      found: { name: 'Cheque', active: yes, process_method: 'manual' },
    }),
    // Payments without a method need a single active one.
    replace: () => ({
      body: { name: 'Check', isActive: false },
      found: { name: 'Check', active: no },
      warned: ['methodType'],
    }),
  };
}

function paymentTermRecipe({ rpc }: Seeded): Recipe {
  return {
    ...inModel(rpc, 'account.invoice.payment_term', 'name description active lines.relativedeltas.days'),
    create: () => ({
      body: { name: 'Net 14', description: 'Two weeks', daysUntilDue: 14, isActive: true },
      found: {
        name: 'Net 14',
        description: 'Two weeks',
        active: yes,
        'lines.': [{ 'relativedeltas.': [{ days: 14 }] }],
      },
    }),
  };
}

function taxRateRecipe({ company, tax, cash, rpc }: Seeded): Recipe {
  return {
    ...inModel(
      rpc,
      'account.tax',
      'name description rate start_date end_date active company invoice_account credit_note_account',
    ),
    create: () => ({
      body: {
        name: 'Reduced 7.5 %',
        description: 'Food',
        rate: 7.5,
        validFromDate: '2026-01-01',
        validToDate: '2027-12-31',
        isActive: true,
        organization: ref(company),
        account: ref(tax),
      },
      found: {
        name: 'Reduced 7.5 %',
        description: 'Food',
        rate: amount('0.075'),
        start_date: date(2026, 1, 1),
        end_date: date(2027, 12, 31),
        active: yes,
        company,
        invoice_account: tax,
        credit_note_account: tax,
      },
    }),
    replace: () => ({
      body: { name: 'Reduced 8 %', description: 'Food', rate: 8, organization: ref(company), account: ref(cash) },
      found: { name: 'Reduced 8 %', rate: amount('0.08'), start_date: null, invoice_account: cash },
      warned: ['totalRate'], // follows from the rate
    }),
  };
}
