import { entities } from '@unified/contract';
import { day } from '../../../sandbox/test/day.ts';
import { type ActionCases, aRow, filled } from './actions.ts';
import type { CompanyRecords, Reason } from './company-records.ts';
import type { Target } from './stored-row.ts';

const note = 'As agreed';
const noted = { statustext: note };
const at = `${day(0)}T08:30:00Z`;

/** Actions of work orders, their steps, requests, assets and alarms. */
export async function maintenanceActions(records: CompanyRecords): Promise<ActionCases> {
  const [cancelled, rejected] = [await records.reason('STOR'), await records.reason('ABLG')];
  const [changed, closed] = [await records.reason('ANLG'), await records.reason('ALGR')];
  return {
    WorkOrder: {
      ...(await workOrderSteps(records)),
      ...workOrderDecisions({ cancelled, interrupted: await records.reason('HALT') }),
    },
    WorkTask: {
      complete: {
        on: "status = 'O' AND typ NOT IN ('N', 'M')",
        body: { value: 'Tight', notes: 'Both sides', completedAt: at },
        found: { status: 'E', ende: at, wert: 'Tight', bem: 'Both sides' },
      },
    },
    WorkRequest: workRequestActions({ cancelled, rejected }),
    Asset: {
      'set-status': {
        on: "status = '20'",
        body: { statusCategory: 'down', effectiveAt: at, reason: changed.reason, note },
        found: { status: '30', status_am: at, status_grund: changed.code, ...noted },
      },
    },
    AssetAssignment: {
      complete: {
        on: "status = 'A'",
        body: { completedAt: at, condition: 'Scratched', note },
        found: { status: 'E', bis: at, zustand_ein: 'Scratched', ...noted },
      },
    },
    Alarm: {
      close: {
        on: "status IN ('A', 'Q')",
        body: { reason: closed.reason, note },
        found: { status: 'G', grund: closed.code, geschlossen_am: filled, ...noted },
      },
    },
  };
}

async function workOrderSteps(records: CompanyRecords): Promise<ActionCases[string]> {
  const [fitter, vendor] = [await records.keyed('Employee', '4711'), await records.named('Vendor', 'ACME Supplies')];
  const samples = await records.samples(entities.WorkOrder);
  await records.learn(samples);
  const { team, failureCode, causeCode, remedyCode } = samples as Readonly<Record<string, Target>>;
  const codeOf = (target: Target | undefined) => records.codes.get(target?.id ?? '');
  return {
    assign: {
      on: `status = '10' AND monteur IS DISTINCT FROM 4711 AND team IS DISTINCT FROM '${codeOf(team)}' AND liefnr IS NULL`,
      body: { assignedTo: fitter, team, vendor, note },
      found: { monteur: fitter._idValue, team: codeOf(team), liefnr: vendor._idValue, ...noted },
    },
    start: { on: "status = '10'", body: { startedAt: at, note }, found: { status: '20', beginn: at, ...noted } },
    resume: { on: "status = '30'", body: { resumedAt: at, note }, found: { status: '20', weiter_am: at, ...noted } },
    complete: {
      on: "status = '20' AND schaden IS NULL AND ursache IS NULL AND abhilfe IS NULL",
      body: {
        ...{ completedAt: at, completionNotes: 'Both bearings', actualDurationMinutes: 91 },
        ...{ failureCode, causeCode, remedyCode, note },
      },
      found: {
        ...{ status: '40', ende: at, rueckmeldung: 'Both bearings', ist_min: 91, ...noted },
        ...{ schaden: codeOf(failureCode), ursache: codeOf(causeCode), abhilfe: codeOf(remedyCode) },
      },
    },
    close: { on: "status = '40'", body: { closedAt: at, note }, found: { status: '50', abschluss: at, ...noted } },
    convert: {
      on: "status IN ('10', '20') AND EXISTS (SELECT FROM aufmat m WHERE m.bezug = t.aufid AND m.bezug_art = 'A') AND NOT EXISTS (SELECT FROM banf b WHERE b.aufid = t.aufid)",
      body: { target: 'purchase_requisition', note },
      found: { anforderungen: [aRow] },
    },
  };
}

function workOrderDecisions({
  cancelled,
  interrupted,
}: Record<'cancelled' | 'interrupted', Reason>): ActionCases[string] {
  return {
    accept: { on: "status IN ('00', '05')", body: { note }, found: { status: '10', freigabe_am: filled, ...noted } },
    reject: {
      on: "status IN ('05', '10')",
      body: { reason: cancelled.reason, note },
      found: { status: '00', rueckgabe_grund: cancelled.code, ...noted },
    },
    hold: {
      on: "status = '20'",
      body: { heldAt: at, reason: interrupted.reason, note },
      found: { status: '30', halt_am: at, halt_grund: interrupted.code, ...noted },
    },
    cancel: {
      on: "status = '00'",
      body: { reason: cancelled.reason, note },
      found: { status: '90', storno_grund: cancelled.code, storno_am: filled, ...noted },
    },
    'set-status': {
      on: "status = '00'",
      body: { statusCategory: 'open', effectiveAt: at, note },
      found: { status: '10', status_am: at, ...noted },
    },
  };
}

function workRequestActions({ cancelled, rejected }: Record<'cancelled' | 'rejected', Reason>): ActionCases[string] {
  return {
    approve: { on: "status IN ('00', '10')", body: { note }, found: { status: '20', freigabe_am: filled, ...noted } },
    reject: {
      on: "status IN ('00', '10')",
      body: { reason: rejected.reason, note },
      found: { status: '30', abl_grund: rejected.code, ablehnung_am: filled, ...noted },
    },
    cancel: {
      on: "status IN ('00', '10')",
      body: { reason: cancelled.reason, note },
      found: { status: '90', storno_grund: cancelled.code, storno_am: filled, ...noted },
    },
    'set-status': {
      on: "status IN ('00', '10')",
      body: { statusCategory: 'approved', effectiveAt: at, note },
      found: { status: '20', status_am: at, ...noted },
    },
  };
}
