import { platformOf } from '@unified/connectors';
import { type RunningKillBill, startKillBill } from '../../../test-systems/killbill/start.ts';
import { everyMappedWriteIsFound } from './every-write.ts';
import { servedSystem } from './served-system.ts';
import type { Effect, Recipes } from './write-recipe.ts';

everyMappedWriteIsFound(platformOf('killbill'), () =>
  servedSystem('killbill', async () => {
    const killBill = await startKillBill();
    const { url, user, password, apiKey, apiSecret } = killBill;
    const settings = { url, user, password, apiKey, apiSecret };
    return { settings, recipes: () => recipesFor(killBill), stop: () => killBill.stop() };
  }),
);

function recipesFor({ api, tenant }: RunningKillBill): Recipes {
  const [, second = '', third = ''] = tenant.accounts;
  const customer = { _idValue: second };
  let created = 0;
  const nextCode = (prefix: string) => `${prefix}-${++created}`;
  const status = (found: string, more: Partial<Effect> = {}) => ({ found: { status: found }, ...more });
  return {
    Customer: {
      find: (key) => api.one(`/accounts/${key}`),
      create: () => {
        const code = nextCode('N');
        return {
          body: {
            code,
            name: 'Northwind',
            legalName: 'Northwind Works GmbH',
            parent: customer,
            currency: { _displayValue: 'USD' },
            email: 'billing@northwind.example',
            phone: '+49 40 1234',
            notes: 'Pays by card',
            billingAddress: {
              line1: 'Hafenstr. 4',
              line2: 'Building B',
              city: 'Hamburg',
              state: 'HH',
              postalCode: '20457',
              countryCode: 'DE',
            },
          },
          found: {
            externalKey: code,
            name: 'Northwind',
            company: 'Northwind Works GmbH',
            parentAccountId: second,
            currency: 'USD',
            email: 'billing@northwind.example',
            phone: '+49 40 1234',
            notes: 'Pays by card',
            address1: 'Hafenstr. 4',
            address2: 'Building B',
            city: 'Hamburg',
            state: 'HH',
            postalCode: '20457',
            country: 'DE',
          },
        };
      },
      update: () => ({
        body: { name: 'Northwind Ltd', phone: '+49 421 99' },
        found: { name: 'Northwind Ltd', phone: '+49 421 99' },
        kept: { city: 'Hamburg' },
      }),
    },
    Invoice: {
      find: (key) => api.one(`/invoices/${key}`),
      create: () => ({
        body: {
          invoiceType: 'accounts_receivable',
          customer,
          lines: [
            {
              description: 'Bearing 6204',
              item: { _idValue: 'compressor-monthly' },
              quantity: 3,
              unitPrice: 19.99,
              serviceDate: '2026-11-20',
            },
          ],
        },
        found: {
          accountId: second,
          status: 'DRAFT',
          amount: 59.97,
          items: [
            {
              description: 'Bearing 6204',
              planName: 'compressor-monthly',
              quantity: 3,
              rate: 19.99,
              startDate: '2026-11-20',
            },
          ],
        },
      }),
      actions: {
        approve: () => status('COMMITTED', { body: { note: 'Checked' } }),
        cancel: () => status('VOID', { body: { reason: { _displayValue: 'Duplicate' } }, warned: ['reason'] }),
        'set-status': () => status('COMMITTED', { body: { statusCategory: 'approved' } }),
      },
    },
    Payment: {
      find: async (key) => {
        const payment = await api.one(`/payments/${key}`);
        const [log] = await api.list(`/payments/${key}/auditLogsWithHistory`);
        return { ...payment, reason: log?.reasonCode };
      },
      create: () => ({
        body: {
          direction: 'incoming',
          customer: { _idValue: tenant.accounts[0] ?? '' },
          transactionDate: '2026-11-20',
          amount: 132.5,
          reference: 'E2E-1',
          allocations: [{ type: 'invoice', target: { _idValue: tenant.invoices.open, rel: 'Invoice' }, amount: 132.5 }],
        },
        found: {
          accountId: tenant.accounts[0],
          purchasedAmount: 132.5,
          paymentExternalKey: 'E2E-1',
          reason: '2026-11-20',
        },
      }),
    },
    Contract: {
      find: (key) => api.one(`/subscriptions/${key}`),
      create: () => ({
        body: {
          code: 'S-2',
          name: 'compressor-monthly',
          party: { _idValue: third, rel: 'Customer' },
          startDate: '2026-11-01',
        },
        found: {
          externalKey: 'S-2',
          planName: 'compressor-monthly',
          accountId: third,
          startDate: '2026-11-01',
          billingStartDate: '2026-11-01',
        },
      }),
    },
  };
}
