import type { RawRow } from '@unified/connectors';
import type { Systems } from '../src/model/systems.ts';
import { faultySystems, platform } from './faulty-platform.ts';

const orders = platform.mappings.WorkOrder;

/** The faulty system, except that new work orders are open: the document requires a category for every work order. */
export const systems: Systems = {
  ...faultySystems,
  platformOf: () => ({
    ...platform,
    mappings: {
      ...platform.mappings,
      ...(orders && { WorkOrder: { ...orders, read: (raw) => orders.read(opened(raw)) } }),
    },
  }),
};

function opened(raw: RawRow): RawRow {
  return { ...raw, row: { state: 'open', ...raw.row } };
}
