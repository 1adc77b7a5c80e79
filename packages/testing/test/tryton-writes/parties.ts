import { expect } from 'vitest';
import type { Rpc } from '../../../../test-systems/tryton/rpc.ts';
import { freshVendor } from '../../../connectors/test/fresh-vendor.ts';
import { partyInTryton } from '../tryton-party.ts';
import type { Recipe, Recipes } from '../write-recipe.ts';
import type { Seeded } from './seeded.ts';
import { inModel, keysIn, nextCode, no, ref, yes } from './values.ts';

/** Parties and their addresses. */
export function parties(seeded: Seeded): Recipes {
  return {
    Vendor: vendorRecipe(seeded),
    Customer: customerRecipe(seeded),
    Partner: partnerRecipe(seeded),
    Address: addressRecipe(seeded),
  };
}

const contacts = { email: 'a@trader.example', phone: '+49 30 1', website: 'https://trader.example' };
const partyFields = { isActive: true, taxNumber: 'DE 1', ...contacts };
const twoNamed = expect.arrayContaining([
  expect.objectContaining({ name: 'Supplier' }),
  expect.objectContaining({ name: 'Customer' }),
]);

function inParties(rpc: Rpc): Pick<Recipe, 'find' | 'keys'> {
  return { find: (key) => partyInTryton(rpc, Number(key)), keys: keysIn(rpc, 'party.party') };
}

function vendorRecipe({ payable, rpc }: Seeded): Recipe {
  return {
    ...inParties(rpc),
    create: () => {
      const code = nextCode('VN');
      return {
        body: { ...freshVendor, code, accountPayable: ref(payable) },
        found: {
          name: 'Fresh Vendor',
          code,
          active: true,
          supplier_lead_time: expect.objectContaining({ seconds: 14 * 86_400 }),
          'supplier_payment_term.': expect.objectContaining({ name: 'Net 60' }),
          account_payable: payable,
          contacts: { email: freshVendor.email, phone: freshVendor.phone, website: freshVendor.website },
          taxNumbers: ['DE 123'],
        },
      };
    },
    update: () => ({
      body: { name: 'Seasoned Vendor', email: 'office@seasoned.example' },
      found: { name: 'Seasoned Vendor', contacts: { email: 'office@seasoned.example' } },
      kept: { contacts: { phone: freshVendor.phone } },
    }),
    replace: () => ({
      body: { name: 'Replaced Vendor' },
      found: { name: 'Replaced Vendor', contacts: {}, contactCount: 0, taxNumbers: [], supplier_lead_time: null },
    }),
  };
}

function customerRecipe({ receivable, rpc }: Seeded): Recipe {
  return {
    ...inParties(rpc),
    create: () => {
      const code = nextCode('CN');
      return {
        body: { ...partyFields, code, name: 'Fresh Customer', accountReceivable: ref(receivable) },
        found: {
          code,
          name: 'Fresh Customer',
          active: true,
          contacts,
          taxNumbers: ['DE 1'],
          account_receivable: receivable,
          'categories.': [expect.objectContaining({ name: 'Customer' })],
        },
      };
    },
    update: () => ({
      body: { isActive: false, phone: '+49 30 2' },
      found: { active: false, contacts: { phone: '+49 30 2' } },
      kept: { contacts: { email: contacts.email } },
    }),
    replace: () => ({
      body: { name: 'Replaced Customer', email: 'b@trader.example' },
      found: { name: 'Replaced Customer', contacts: { email: 'b@trader.example' }, contactCount: 1, taxNumbers: [] },
    }),
  };
}

function partnerRecipe({ rpc }: Seeded): Recipe {
  return {
    ...inParties(rpc),
    create: () => {
      const code = nextCode('PN');
      return {
        body: { ...partyFields, code, name: 'Trader', roles: ['vendor', 'customer'] },
        found: { code, name: 'Trader', active: true, contacts, taxNumbers: ['DE 1'], 'categories.': twoNamed },
      };
    },
    replace: () => ({
      body: { name: 'Trader & Sons', roles: ['vendor', 'customer'] },
      found: { name: 'Trader & Sons', contactCount: 0, taxNumbers: [] },
      kept: { 'categories.': twoNamed },
    }),
  };
}

function addressRecipe({ vendor, germany, rpc }: Seeded): Recipe {
  return {
    ...inModel(rpc, 'party.address', 'street city postal_code country party party_name invoice delivery active'),
    create: () => ({
      body: {
        type: 'shipping',
        addressee: 'Goods in',
        line1: 'Hall 3',
        line2: 'Industriestr. 12',
        line3: 'Gate B',
        line4: 'Ramp 7',
        city: 'Berlin',
        postalCode: '10115',
        country: ref(germany),
        owner: ref(vendor, 'Vendor'),
        isActive: true,
      },
      found: {
        street: 'Hall 3\nIndustriestr. 12\nGate B\nRamp 7',
        party_name: 'Goods in',
        city: 'Berlin',
        postal_code: '10115',
        country: germany,
        party: vendor,
        invoice: no,
        delivery: yes,
        active: yes,
      },
    }),
    replace: () => ({
      body: {
        type: 'billing',
        line1: 'Hall 4',
        city: 'Potsdam',
        country: ref(germany),
        owner: ref(vendor, 'Vendor'),
        isActive: false,
      },
      found: {
        street: 'Hall 4',
        city: 'Potsdam',
        postal_code: expect.toBeOneOf([null, '']),
        invoice: yes,
        delivery: no,
        active: no,
      },
      kept: { party: vendor },
    }),
  };
}
