import { type Operation, templateOf } from '@unified/contract';

/** Values of path parameters that are neither ids nor arbitrary names. */
const NAMED: Readonly<Record<string, string>> = { entity: 'Vendor', revision: '1' };

/** The address of an operation in which each parameter is replaced by this id or by a valid name. */
export function exampleAddress(operation: Operation, id: string): string {
  return templateOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => NAMED[name] ?? id);
}
