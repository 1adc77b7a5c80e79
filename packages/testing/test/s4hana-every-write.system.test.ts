import { platformOf } from '@unified/connectors';
import { type BusinessPartners, startBusinessPartners } from '../../../test-systems/odata/start.ts';
import { everyMappedWriteIsFound } from './every-write.ts';
import { servedSystem } from './served-system.ts';
import type { Recipe, Recipes } from './write-recipe.ts';

everyMappedWriteIsFound(platformOf('s4hana'), () =>
  servedSystem('s4hana', async () => {
    const system = await startBusinessPartners();
    const { url, user, password } = system;
    return { settings: { url, user, password }, recipes: () => recipesFor(system), stop: () => system.stop() };
  }),
);

function recipesFor(system: BusinessPartners): Recipes {
  const partner = (part: 'to_Supplier' | 'to_Customer', isBlocked: string): Recipe => ({
    find: (key) => partnerIn(system, key),
    create: () => ({
      body: { name: 'Fresh', isActive: false },
      found: { OrganizationBPName1: 'Fresh', BusinessPartnerCategory: '2', [part]: { [isBlocked]: true } },
    }),
    update: () => ({
      body: { name: 'Seasoned', isActive: true },
      found: { OrganizationBPName1: 'Seasoned', [part]: { [isBlocked]: false } },
    }),
  });
  return {
    Vendor: partner('to_Supplier', 'PurchasingIsBlocked'),
    Customer: partner('to_Customer', 'PostingIsBlocked'),
  };
}

/** A partner with its roles of supplier and customer, without the driver. */
async function partnerIn({ url, user, password }: BusinessPartners, key: string): Promise<Record<string, unknown>> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const address = `${url}/A_BusinessPartner('${key}')?$expand=to_Supplier,to_Customer&$format=json`;
  const response = await fetch(address, { headers: { authorization } });
  const { d } = (await response.json()) as { d: Record<string, unknown> };
  return d;
}
