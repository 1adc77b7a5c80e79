import { readFileSync } from 'node:fs';

interface Resource {
  readonly type: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** The resources of the reference: for each entity set, its type and its properties with their types. */
export const RESOURCES: Readonly<Record<string, Resource>> = JSON.parse(
  readFileSync(new URL('resources.json', import.meta.url), 'utf8'),
);

/** The lists of documents, by their entity set. Each has the name of its own set. */
export const LISTS: Readonly<Record<string, string>> = {
  purchaseOrders: 'purchaseOrderLines',
  salesOrders: 'salesOrderLines',
  salesInvoices: 'salesInvoiceLines',
  salesCreditMemos: 'salesCreditMemoLines',
};

/** Bound actions, by the type that they are bound to. */
export const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  salesInvoice: ['cancel', 'cancelAndSend', 'makeCorrectiveCreditMemo', 'post', 'postAndSend', 'send'],
  salesOrder: ['shipAndInvoice'],
  purchaseOrder: ['receiveAndInvoice'],
  salesCreditMemo: ['cancel', 'cancelAndSend', 'post', 'postAndSend', 'send'],
};

const TYPES: Readonly<Record<string, string>> = {
  GUID: 'Edm.Guid',
  string: 'Edm.String',
  decimal: 'Edm.Decimal',
  boolean: 'Edm.Boolean',
  date: 'Edm.Date',
  datetime: 'Edm.DateTimeOffset',
  integer: 'Edm.Int32',
  int64: 'Edm.Int64',
};

/** The type of a property as the reference names it, and whether clients may not change it. */
export function propertyType(text: string): { readonly type: string; readonly isReadOnly: boolean } {
  const [type = '', ...rest] = text.split(' ');
  return { type, isReadOnly: rest.length > 0 };
}

/** The description of the service. The reference does not contain it, so it is made of the tables of properties. */
export function metadata(): string {
  const enumerations = new Set<string>();
  const types = Object.entries(RESOURCES).map(([set, { type, properties }]) => {
    const list = LISTS[set];
    const lines = Object.entries(properties).map(([name, text]) => {
      const named = propertyType(text).type;
      if (named.startsWith('NAV.')) enumerations.add(named.slice(4));
      const edm = TYPES[named] ?? `Microsoft.${named}`;
      return `<Property Name="${name}" Type="${edm}"${name === 'id' ? ' Nullable="false"' : ''}/>`;
    });
    if (list) {
      const target = `Microsoft.NAV.${RESOURCES[list]?.type}`;
      lines.push(`<NavigationProperty Name="${list}" Type="Collection(${target})" ContainsTarget="true"/>`);
    }
    return `<EntityType Name="${type}"><Key><PropertyRef Name="id"/></Key>${lines.join('')}</EntityType>`;
  });
  const actions = Object.entries(ACTIONS).flatMap(([type, names]) =>
    names.map(
      (name) =>
        `<Action Name="${name}" IsBound="true"><Parameter Name="bindingParameter" Type="Microsoft.NAV.${type}"/></Action>`,
    ),
  );
  const sets = Object.entries(RESOURCES).map(
    ([name, { type }]) => `<EntitySet Name="${name}" EntityType="Microsoft.NAV.${type}"/>`,
  );
  const enums = [...enumerations].map((name) => `<EnumType Name="${name}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Microsoft.NAV" xmlns="http://docs.oasis-open.org/odata/ns/edm">
${[...types, ...enums, ...actions].join('\n')}
<EntityContainer Name="NAV">${sets.join('')}</EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`;
}
