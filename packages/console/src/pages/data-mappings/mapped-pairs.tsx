import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { DataMapping } from './data-mapping-queries.ts';

type Pair = Shape<'DataMappingPair'>;

const SHOWN = 200;

interface MappedPairsProps {
  readonly connectionId: string;
  readonly mapping: DataMapping;
}

/** The first pairs of a data mapping, with links to their records. */
export function MappedPairs({ connectionId: id, mapping: { id: mappingId, entity } }: MappedPairsProps) {
  const { dataMappings } = useTexts();
  const management = useManagement();
  const { data, error, refetch } = useQuery({
    queryKey: ['connection', id, 'data-mappings', mappingId],
    queryFn: () =>
      dataOf<Shape<'DataMappingEntries'>>(
        management.GET('/connections/{id}/data-mappings/{mappingId}/entries', {
          params: { path: { id, mappingId }, query: { limit: SHOWN } },
        }),
      ),
  });
  const columns: Column<Pair>[] = [
    {
      name: dataMappings.record,
      cell: ({ serviceId }) => (
        <Link
          to="/connections/$connectionId/records/$entity/$recordId"
          params={{ connectionId: id, entity, recordId: serviceId }}
          search={{}}
        >
          <code>{serviceId}</code>
        </Link>
      ),
    },
    { name: dataMappings.external, cell: ({ externalValue }) => <code>{externalValue}</code> },
  ];
  return (
    <Card title={dataMappings.firstPairs(SHOWN)} flush>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {!data && !error && <Loading lines={2} />}
      {data?.entries.length === 0 && <Empty title={dataMappings.noPairs} />}
      {data && data.entries.length > 0 && (
        <Table
          label={dataMappings.pairs}
          columns={columns}
          rows={data.entries}
          rowKey={({ serviceId, externalValue }) => `${serviceId} ${externalValue}`}
        />
      )}
    </Card>
  );
}
