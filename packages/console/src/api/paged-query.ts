import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Called, called } from './called.ts';

/** A page of a list that is read by cursor. */
interface CursorPage<Row> {
  readonly data: readonly Row[];
  readonly meta: { readonly next_cursor?: string | null };
}

/** Parameters of a page. */
export interface PageParameters {
  readonly per_page: number;
  readonly cursor?: string;
}

const PER_PAGE = 50;

/** A list that is read page by page. `read` requests the page with the given parameters. */
export function pagedQuery<Row>(key: readonly unknown[], read: (page: PageParameters) => Promise<Called>) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      called<CursorPage<Row>>(read({ per_page: PER_PAGE, ...(pageParam !== undefined && { cursor: pageParam }) })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });
}
