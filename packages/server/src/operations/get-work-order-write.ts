import type { Request } from '@unified/contract';
import type { DataContext } from './context.ts';
import { getWrite } from './get-write.ts';

/** Legacy address of `getWrite`. */
export function getWorkOrderWrite(request: Request<'getWorkOrderWrite'>, context: DataContext) {
  return getWrite(request, context);
}
