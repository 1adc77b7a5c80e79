import type { ChangesRequest, PulledPage, RowChanges } from '../driver.ts';
import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { literal } from './literal.ts';
import type { EdmProperty } from './metadata/metadata.ts';
import type { ODataSession } from './odata-session.ts';
import { page } from './pull.ts';
import { withQuery } from './query.ts';
import { cursorsOf, listedKey, propertyOf, type Source, sourceOf } from './source.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const INSTANTS: ReadonlySet<string> = new Set(['Edm.DateTime', 'Edm.DateTimeOffset']);

/** Changes since a mark, which is an instant of the server. */
export function rowChanges(session: ODataSession, overlapMs: number): RowChanges {
  return {
    async mark(stream) {
      const source = await sourceOf(session, stream);
      const { listed } = source;
      const cursors = cursorsOf(source).map((name) => propertyOf(listed, name));
      const wrong = cursors.filter((property) => !isDay(property) && !INSTANTS.has(property.type));
      if (wrong.length > 0) {
        const named = wrong.map(({ name, type }) => `${name} (${type})`).join(', ');
        throw new SystemError(
          'rejected',
          `A cursor must be a date or timestamp: ${named}. Check "cursor" and the option "changedBy" of the stream`,
        );
      }
      const path = withQuery(listed.set.name, { select: listedKey(source).join(','), top: '1' });
      const { serverTime } = await session.send({ method: 'GET', path });
      return new Date(serverTime - overlapMs).toISOString();
    },
    pull: async (request) => pullChanges(session, await sourceOf(session, request.stream), request),
  };
}

function pullChanges(session: ODataSession, source: Source, request: ChangesRequest): Promise<PulledPage> {
  const { since } = request;
  if (since === null) return page(session, source, [], request);
  const conditions = cursorsOf(source).map((name) => {
    const property = propertyOf(source.listed, name);
    return `${name} ge ${literal(boundary(since, property), property, source.metadata.version)}`;
  });
  return page(session, source, [conditions.join(' or ')], request);
}

/** A day and an `Edm.DateTime` have no zone. The day before covers every zone that the server may be in. */
function boundary(since: Json, property: EdmProperty): string {
  const at = typeof since === 'string' ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(at)) throw new SystemError('invalid', `The mark of the last pass is not a timestamp: ${since}`);
  if (isDay(property)) return new Date(at - DAY_MS).toISOString().slice(0, 10);
  return new Date(property.type === 'Edm.DateTime' ? at - DAY_MS : at).toISOString();
}

function isDay({ type, isDay: isDayOnly }: EdmProperty): boolean {
  return type === 'Edm.Date' || isDayOnly;
}
