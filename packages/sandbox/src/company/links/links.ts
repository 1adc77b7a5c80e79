import { bins } from './bins.ts';
import { equipment } from './equipment.ts';
import { files } from './files.ts';
import { billed, vendorInvoices } from './invoices.ts';
import { leases } from './leases.ts';
import type { Links } from './link.ts';
import { paymentAndTax } from './payment-and-tax.ts';
import { projects, settledProjects } from './projects.ts';
import { salesOrders } from './sales-orders.ts';
import { upkeep } from './upkeep.ts';
import { warehouse } from './warehouse.ts';
import { workOrderCosts } from './work-order-costs.ts';

/** All links between areas; invoices copy those of their orders. */
export const links: readonly Links[] = [
  paymentAndTax,
  equipment,
  salesOrders,
  vendorInvoices,
  billed,
  warehouse,
  projects,
  settledProjects,
  upkeep,
  bins,
  leases,
  files,
  workOrderCosts,
];
