import { expect } from 'vitest';
import { day } from '../../../sandbox/test/day.ts';
import { type ActionCases, aRow, filled } from './actions.ts';
import type { CompanyRecords, Reason } from './company-records.ts';

const note = 'As agreed';
const noted = { statustext: note };
const at = `${day(0)}T08:30:00Z`;
const without = (table: string, column: string) =>
  `NOT EXISTS (SELECT FROM ${table} x WHERE x.${column} = t.${column})`;

/** Actions of documents of purchasing, sales, stock and production. */
export async function documentActions(records: CompanyRecords): Promise<ActionCases> {
  const cancelled = await records.reason('STOR');
  const { reason, code } = cancelled;
  return {
    PurchaseRequisition: requisitionActions(cancelled, await records.reason('ABLE')),
    PurchaseOrder: purchaseOrderActions(cancelled),
    Quote: quoteActions(cancelled),
    SalesOrder: salesOrderActions(cancelled),
    Shipment: {
      complete: {
        on: "status = 'U'",
        body: { deliveredAt: at, receivedBy: 'Gate 3', note },
        found: { status: 'Z', zugestellt: at, empfaenger: 'Gate 3', ...noted },
      },
    },
    Invoice: invoiceActions(cancelled),
    ProductionOrder: productionOrderActions(),
    InventoryDocument: {
      post: {
        on: "status IN ('E', 'A') AND positionen <> '[]'",
        body: { postedAt: at, note },
        found: { status: 'B', gebucht_am: at, ...noted },
      },
      cancel: {
        on: "status IN ('E', 'A')",
        body: { reason, note },
        found: { status: 'S', storno_grund: code, storno_am: filled, ...noted },
      },
    },
  };
}

function requisitionActions({ reason, code }: Reason, rejected: Reason): ActionCases[string] {
  return {
    submit: { on: "status = 'E'", body: { note }, found: { status: 'V', vorgelegt_am: filled, ...noted } },
    approve: { on: "status = 'V'", body: { note }, found: { status: 'F', freigabe_am: filled, ...noted } },
    reject: {
      on: "status = 'V'",
      body: { reason: rejected.reason, note },
      found: { status: 'R', abl_grund: rejected.code, abgelehnt_am: filled, ...noted },
    },
    cancel: {
      on: "status IN ('E', 'V')",
      body: { reason, note },
      found: { status: 'S', storno_grund: code, ...noted },
    },
    convert: {
      on: `status = 'F' AND liefnr IS NOT NULL AND ${without('bestkopf', 'banfnr')}`,
      body: { target: 'purchase_order', note },
      found: { bestellungen: [aRow] },
    },
  };
}

function purchaseOrderActions({ reason, code }: Reason): ActionCases[string] {
  const [unreceived, unbilled] = [without('wekopf', 'bestnr'), without('rechkopf', 'bestnr')];
  return {
    submit: { on: "status = 'E'", body: { note }, found: { status: 'V', ...noted } },
    approve: { on: "status = 'V'", body: { note }, found: { status: 'F', freigabe_am: filled, ...noted } },
    receive: {
      on: `status IN ('F', 'G') AND ${unreceived}`,
      body: { receivedAt: at, note },
      found: { status: 'L', wareneingaenge: [aRow] },
    },
    close: {
      on: "status = 'L'",
      body: { reason, note },
      found: { status: 'A', grund: code, abschluss_am: filled, ...noted },
    },
    cancel: {
      on: `status IN ('F', 'G') AND ${unreceived} AND ${unbilled}`,
      body: { reason, note },
      found: { status: 'S', grund: code, abschluss_am: filled, ...noted },
    },
    reopen: {
      on: "status = 'A' AND abschluss_am IS NOT NULL",
      body: { note },
      found: { status: expect.toBeOneOf(['E', 'F', 'T', 'L']), abschluss_am: null, ...noted },
    },
    'set-status': {
      on: `status = 'F' AND ${unreceived} AND ${unbilled}`,
      body: { statusCategory: 'draft', note },
      found: { status: 'E', ...noted },
    },
    convert: {
      on: `status IN ('F', 'G', 'L') AND ${unbilled}`,
      body: { target: 'invoice', note },
      found: { rechnungen: [aRow] },
    },
  };
}

function quoteActions({ reason, code }: Reason): ActionCases[string] {
  return {
    submit: { on: "status = 'E'", body: { note }, found: { status: 'V', vorgelegt: filled, ...noted } },
    cancel: { on: "status IN ('E', 'V')", body: { reason, note }, found: { status: 'S', grund: code, ...noted } },
    convert: {
      on: "status IN ('V', 'A') AND kdnr IS NOT NULL AND vknr IS NULL",
      body: { target: 'sales_order', note },
      found: { status: 'W', vknr: filled, ...noted },
    },
  };
}

function salesOrderActions({ reason, code, label }: Reason): ActionCases[string] {
  return {
    ship: {
      on: `status = '20' AND ${without('lieferung', 'vknr')}`,
      body: { shippedAt: at, carrier: 'Own', trackingNumber: '0815', note },
      found: { lieferungen: [aRow] },
    },
    close: { on: "status IN ('40', '50')", body: { reason, note }, found: { status: '60', grund: code, ...noted } },
    cancel: { on: "status IN ('10', '15')", body: { reason, note }, found: { status: '90', grund: code, ...noted } },
    reopen: {
      on: "status IN ('60', '90')",
      body: { reason, note },
      found: { status: expect.toBeOneOf(['10', '20', '30', '40', '50']), statustext: `${label}: ${note}` },
    },
    'set-status': {
      on: "status = '10'",
      body: { statusCategory: 'open', note },
      found: { status: '20', ...noted },
    },
    convert: {
      on: `status IN ('20', '30', '40') AND ${without('rechkopf', 'vknr')}`,
      body: { target: 'invoice', note },
      found: { rechnungen: [aRow] },
    },
  };
}

function invoiceActions({ reason, code }: Reason): ActionCases[string] {
  return {
    submit: { on: "status = 'E'", body: { note }, found: { status: 'V', ...noted } },
    approve: { on: "status = 'V'", body: { note }, found: { status: 'F', ...noted } },
    cancel: {
      on: "status = 'E'",
      body: { reason, note },
      found: { status: 'S', storno_am: filled, grund: code, ...noted },
    },
    'set-status': {
      on: "status = 'F'",
      body: { statusCategory: 'sent', effectiveAt: at, note },
      found: { status: 'G', status_am: at, ...noted },
    },
  };
}

function productionOrderActions(): ActionCases[string] {
  return {
    start: {
      body: { startedAt: at, note },
      found: { status: '30', beginn: at, ...noted },
    },
    close: {
      on: "status = '30'",
      body: { closedAt: at, producedQuantity: 1, scrappedQuantity: 1, note },
      found: { status: '80', abschluss: at, gut_mg: 1, aus_mg: 1, ...noted },
    },
    reopen: {
      on: "status IN ('80', '90')",
      body: { note },
      found: { status: expect.toBeOneOf(['10', '30']), ...noted },
    },
  };
}
