import pg from 'pg';

/** Changes that are made directly in the sandbox company, without the API. */
const sandboxChanges = {
  renameVendor: `UPDATE lief SET name1 = name1 || ' (renamed)' WHERE liefnr = $1`,
  blockVendor: `UPDATE lief SET kz_gesperrt = 'J' WHERE liefnr = $1`,
  flagVendorDeleted: `UPDATE lief SET geloescht = now() WHERE liefnr = $1`,
  reportWorkOrder: `INSERT INTO auftrag (kurztext, melder) VALUES ('Reported at the terminal', $1)`,
  startWorkOrder: `UPDATE auftrag SET status = '20', beginn = now() WHERE aufid = $1`,
  deleteWorkOrder: `DELETE FROM auftrag WHERE aufid = $1`,
  closeLocation: `UPDATE platz SET gesperrt = 'X' WHERE platznr = $1`,
  deleteAddress: `DELETE FROM adresse WHERE adrnr = $1`,
} as const;

export type SandboxChange = keyof typeof sandboxChanges;

/** Applies one change to the row with this number (for `reportWorkOrder`: on behalf of that employee). */
export async function changeSandbox(
  { url, schema }: { readonly url: string; readonly schema: string },
  change: SandboxChange,
  number: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // An error event without a listener would end the process; the current statement rejects, or the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET search_path TO ${pg.escapeIdentifier(schema)}`);
    await client.query(sandboxChanges[change], [number]);
  } finally {
    await client.end();
  }
}
