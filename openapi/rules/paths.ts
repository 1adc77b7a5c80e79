export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** What the form of a path says: `/vendors`, `/vendors/{id}`, `/vendors/{id}/actions/cancel`, or something else. */
export interface PathShape {
  /** First segment: `vendors`. */
  readonly collection: string;
  readonly shape: 'collection' | 'item' | 'action' | 'other';
  /** Name of the action, otherwise empty. */
  readonly action: string;
}

/** Reads a path of the document, without the version segment. */
export function shapeOf(path: string): PathShape {
  const [collection = '', parameter, actions, action = '', ...rest] = path.slice(1).split('/');
  if (parameter === undefined) return { collection, shape: 'collection', action: '' };
  if (!parameter.startsWith('{')) return { collection, shape: 'other', action: '' };
  if (actions === undefined) return { collection, shape: 'item', action: '' };
  if (actions === 'actions' && action && rest.length === 0) return { collection, shape: 'action', action };
  return { collection, shape: 'other', action: '' };
}
