import { customers, vendors } from './partners.ts';
import { type Party, type Tax, taxBy, taxOf } from './taxes.ts';

const customerBy = new Map<number, Party>(customers.map((customer) => [customer.number, customer]));
const vendorBy = new Map<number, Party>(vendors.map((vendor) => [vendor.number, vendor]));

/** The tax on what a company sells to a customer. */
export function taxOfCustomer(mand: string, kdnr: number): Tax {
  const customer = customerBy.get(kdnr);
  return customer ? taxOf('D', mand, customer) : taxBy('S19');
}

/** The tax on what a company buys from a vendor; without a vendor, the tax on domestic purchases. */
export function taxOfVendor(mand: string, liefnr: number | null): Tax {
  const vendor = liefnr === null ? undefined : vendorBy.get(liefnr);
  return taxOf('K', mand, vendor ?? home(mand));
}

function home(mand: string): Party {
  const country = { '020': 'GB', '030': 'PL' }[mand] ?? 'DE';
  return { city: { country, region: '' }, hasVatId: true };
}

export type { Tax };
