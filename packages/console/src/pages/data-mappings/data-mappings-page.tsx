import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { called } from '../../api/called.ts';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { Button, TextButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { type DataMapping, dataMappingsQuery } from './data-mapping-queries.ts';
import { MappedPairs } from './mapped-pairs.tsx';
import { StartDataMapping } from './start-data-mapping.tsx';

/** Which identifiers of your systems belong to the records of a connection. */
export function DataMappingsPage() {
  const { dataMappings, general, webhooks } = useTexts();
  const { language } = useLanguage();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId/data-mappings' });
  const management = useManagement();
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const [isStarting, setStarting] = useState(false);
  const [opened, setOpened] = useState<DataMapping>();
  const query = dataMappingsQuery(management, connectionId);
  const { data, error, refetch } = useQuery(query);
  const stop = useMutation({
    mutationFn: async (mappingId: string) =>
      called(
        management.DELETE('/connections/{id}/data-mappings/{mappingId}', {
          params: { path: { id: connectionId, mappingId } },
        }),
      ),
    onSettled: () => {
      setOpened(undefined);
      return queries.invalidateQueries(query);
    },
  });
  const kinds: Readonly<Record<string, string>> = dataMappings.cardinalities;
  const columns: Column<DataMapping>[] = [
    {
      name: dataMappings.entity,
      cell: (mapping) => (
        <TextButton aria-expanded={opened?.id === mapping.id} onClick={() => setOpened(mapping)}>
          {catalogEntity(mapping.entity)?.title ?? mapping.entity}
        </TextButton>
      ),
    },
    {
      name: dataMappings.cardinality,
      cell: ({ cardinality }) => kinds[cardinality] ?? cardinality,
      minor: true,
    },
    { name: dataMappings.pairs, cell: ({ pairs }) => pairs.toLocaleString(language), numeric: true },
    { name: general.created, cell: ({ createdAt }) => <Time at={createdAt} />, minor: true },
    {
      name: webhooks.actions,
      actions: true,
      cell: ({ id, entity }) =>
        mayChange && (
          <Button small look="danger" aria-label={`${general.delete}: ${entity}`} onClick={() => stop.mutate(id)}>
            {general.delete}
          </Button>
        ),
    },
  ];
  const start = mayChange && (
    <Button look="main" onClick={() => setStarting(true)}>
      {dataMappings.start}
    </Button>
  );
  const failure = error ?? stop.error;
  return (
    <Page title={dataMappings.title} lead={dataMappings.lead} actions={start}>
      {failure && <ErrorNotice error={failure} onRetry={refetch} />}
      <Card flush>
        {!data && !error && <Loading />}
        {data?.length === 0 && <Empty title={dataMappings.none}>{dataMappings.noneLead}</Empty>}
        {data && data.length > 0 && (
          <Table label={dataMappings.title} columns={columns} rows={data} rowKey={({ id }) => id} />
        )}
      </Card>
      {opened && <MappedPairs key={opened.id} connectionId={connectionId} mapping={opened} />}
      {isStarting && <StartDataMapping connectionId={connectionId} onClose={() => setStarting(false)} />}
    </Page>
  );
}
