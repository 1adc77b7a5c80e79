import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Shape } from '../../api/document-schemas.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { ShortId } from '../../parts/short-id.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';

type LoggedRequest = Shape<'RequestLog'>;

const STATUSES = [200, 201, 202, 400, 401, 403, 404, 409, 412, 422, 429, 500, 502, 503];
const FIRST_ERROR = 400;
const FIRST_FAULT = 500;

function toneOf(status: number) {
  if (status >= FIRST_FAULT) return 'bad';
  return status >= FIRST_ERROR ? 'warn' : 'good';
}

/** A path with the ends of its identifiers. */
function shortPath(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{4}(?=[0-9a-f]{8})/g, '…');
}

/** The requests to the API of an application, newest first. */
export function RequestsPage() {
  const { activity, general } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const { status } = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = pagedQuery<LoggedRequest>(['application', applicationId, 'requests', status], (page) =>
    management.GET('/logs', { params: { query: { ...page, ...(status && { status: Number(status) }) } } }),
  );
  const columns: Column<LoggedRequest>[] = [
    {
      name: activity.request,
      cell: ({ method, path }) => (
        <code title={path}>
          {method} {shortPath(path)}
        </code>
      ),
    },
    { name: general.status, cell: (each) => <Badge tone={toneOf(each.status)}>{each.status}</Badge> },
    { name: activity.code, cell: ({ code }) => code && <code>{code}</code>, minor: true },
    { name: activity.milliseconds, cell: ({ milliseconds }) => milliseconds.toFixed(1), numeric: true, minor: true },
    { name: activity.requestId, cell: ({ requestId }) => <ShortId id={requestId} />, minor: true },
    { name: activity.at, cell: ({ at }) => <Time at={at} /> },
  ];
  return (
    <Page title={activity.requests} lead={activity.requestsLead}>
      <SelectField
        narrow
        label={general.status}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          navigate({ to: '.', search: value === '' ? {} : { status: value }, replace: true })
        }
      >
        <option value="">{general.all}</option>
        {STATUSES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <PagedTable
        label={activity.requests}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={activity.noRequests}
      />
    </Page>
  );
}
