import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type CatalogEntity, catalogEntity } from '../../contract/entity-catalog.ts';
import type { EntityFacts } from '../../contract/entity-facts.ts';
import { factsQuery } from '../../contract/load-facts.ts';
import { type ListView, searchOfView, viewOfSearch } from '../../lists/conditions-of-search.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { readChoice, storeChoice } from '../../preferences/stored-choices.ts';
import { useMayChange } from '../../session/session-context.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { type Capability, capabilitiesQuery } from './capability-queries.ts';
import { ColumnChoice } from './column-choice.tsx';
import { CopyAs } from './copy-as.tsx';
import { defaultColumns } from './default-columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { RecordList } from './record-list-view.tsx';
import styles from './records-page.module.css';
import { writableForm } from './writable-form.ts';
import { WriteDialog } from './write-dialog.tsx';

const ROUTE = '/shell/connections/$connectionId/records/$entity';

/** The records of an entity, with the opened record beside them. */
export function RecordsPage() {
  const { general } = useTexts();
  const { connectionId, entity: name } = useParams({ from: ROUTE });
  const entity = catalogEntity(name);
  const facts = useQuery({ ...factsQuery(name), enabled: entity !== undefined });
  const capabilities = useQuery(capabilitiesQuery(connectionId));
  const capability = capabilities.data?.find((each) => each.entity === name);
  if (!entity) return <Notice tone="warn">{general.notFound}</Notice>;
  if (capabilities.error) return <ErrorNotice error={capabilities.error} onRetry={capabilities.refetch} />;
  if (!facts.data || !capabilities.data) {
    return (
      <Page title={entity.title}>
        <Loading />
      </Page>
    );
  }
  return <Records key={name} {...{ connectionId, entity, facts: facts.data, capability }} />;
}

interface RecordsProps {
  readonly connectionId: string;
  readonly entity: CatalogEntity;
  readonly facts: EntityFacts;
  readonly capability: Capability | undefined;
}

function Records({ connectionId, entity, facts, capability }: RecordsProps) {
  const { records } = useTexts();
  const { language } = useLanguage();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const view = viewOfSearch(search);
  const stored = `columns.${entity.name}`;
  const [columns, setColumns] = useState(
    () => readChoice<string[]>(stored) ?? defaultColumns(facts.fields, capability?.readFields ?? []),
  );
  const [total, setTotal] = useState<number>();
  const [isCreating, setCreating] = useState(false);
  const show = (next: ListView) => navigate({ to: '.', search: searchOfView(next), replace: true });
  const choose = (names: string[]) => {
    storeChoice(stored, names);
    setColumns(names);
  };
  const mayCreate = mayChange && capability?.operations.includes('create') && facts.create;
  return (
    <div className={styles.split}>
      <Page
        whole
        title={entity.title}
        lead={total === undefined ? '' : records.count(total.toLocaleString(language))}
        actions={
          <>
            <ColumnChoice fields={facts.fields} chosen={columns} onChange={choose} />
            <CopyAs collection={entity.collection} view={view} />
            {mayCreate && (
              <Button look="main" onClick={() => setCreating(true)}>
                {records.create}
              </Button>
            )}
          </>
        }
      >
        <FilterBar fields={facts.fields} view={view} onChange={show} />
        <RecordList {...{ connectionId, entity, facts, columns, view, onSort: show, onTotal: setTotal }} />
      </Page>
      <Outlet />
      {isCreating && facts.create && (
        <WriteDialog
          connectionId={connectionId}
          entity={entity}
          write={{ kind: 'create', form: writableForm(facts.create, capability) }}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  );
}
