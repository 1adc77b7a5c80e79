/** A connection, and whose turn it is. */
export interface OwnedConnection {
  readonly id: string;
  /** The end customer of the connection, or its application if it has none. */
  readonly owner: string;
}

/** Columns of an owned connection, in table `connections`. */
export const OWNED = 'id, coalesce("endCustomerId", "applicationId") as owner';
