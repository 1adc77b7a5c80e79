import type { Request } from '@unified/contract';
import type { Context } from './context.ts';
import { getWrite } from './get-write.ts';

/** Legacy address of `getWrite`. */
export function getWorkOrderWrite(request: Request<'getWorkOrderWrite'>, context: Context) {
  return getWrite(request, context);
}
