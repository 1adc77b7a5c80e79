import { SystemError } from '../system-error.ts';
import type { PageSize, Paging } from './options.ts';

/** The failure of a call for a page, with the remedy if the system refused it because of its size. */
export function pageFailure(error: unknown, paging: Paging | undefined): unknown {
  const size = sizeIn(paging);
  if (!size || !(error instanceof SystemError) || error.kind !== 'rejected') return error;
  const words = 'Check the address and the parameters of the list.';
  const most = `If "${size.parameter}" is more than the system allows, name its maximum in \`size.most\` of \`paging\`.`;
  return error.explained({ remedy: `${words} ${most}` });
}

function sizeIn({ offset, pages, next, token }: Paging = {}): PageSize | undefined {
  return (offset ?? pages ?? next ?? token)?.size;
}
