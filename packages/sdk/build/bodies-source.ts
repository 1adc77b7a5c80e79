import type { CollectionCall } from './collections.ts';

/** A named schema of request bodies. */
export interface Body {
  readonly name: string;
  readonly description?: string;
}

/**
 * Source of one interface per request body of the calls, since editors show the name of an interface, but all properties
 * of an alias.
 */
export function bodiesSource(
  calls: readonly CollectionCall[],
  bodyOf: (operation: CollectionCall['operation']) => Body | undefined,
): string {
  const bodies = new Map<string, string>();
  for (const { operation } of calls) {
    const body = bodyOf(operation);
    if (body && !bodies.has(body.name)) bodies.set(body.name, declaration(body, operation.id));
  }
  return `// Generated from the contract by the build of this package. Do not edit.

import type { BodyOf } from '../calls.ts';
import type { operations } from './types.ts';

${[...bodies.values()].join('\n')}`;
}

function declaration({ name, description }: Body, operation: string): string {
  const comment =
    description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/').replaceAll('\n', ' ').trim()} */\n`;
  return `${comment}export interface ${name} extends BodyOf<operations['${operation}']> {}\n`;
}
