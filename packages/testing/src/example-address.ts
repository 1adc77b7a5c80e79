import { type Operation, templateOf } from '@unified/contract';

/** Values of path parameters that are neither ids nor free names. */
const NAMED: Readonly<Record<string, string>> = { entity: 'Vendor', revision: '1' };

/** The address of an operation with this id, or a valid name, in place of each parameter. */
export function exampleAddress(operation: Operation, id: string): string {
  return templateOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => NAMED[name] ?? id);
}
