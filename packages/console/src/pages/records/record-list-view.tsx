import { Link, useParams } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { CatalogEntity } from '../../contract/entity-catalog.ts';
import type { EntityFacts, ReadField } from '../../contract/entity-facts.ts';
import { type ListView, searchOfView } from '../../lists/conditions-of-search.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { FieldValue } from './field-value.tsx';
import styles from './record-list-view.module.css';
import { useRecordPages, useRecordTotal } from './use-record-pages.ts';

const ROW_HEIGHT = 38;
/** Rows above and below the visible ones. */
const OVERSCAN = 12;

interface RecordListProps {
  readonly connectionId: string;
  readonly entity: CatalogEntity;
  readonly facts: EntityFacts;
  readonly columns: readonly string[];
  readonly view: ListView;
  readonly onSort: (view: ListView) => void;
  readonly onTotal: (total: number | undefined) => void;
}

/** A list of any length: only the visible rows are in the page, and only their pages are read. */
export function RecordList({ connectionId, entity, facts, columns, view, onSort, onTotal }: RecordListProps) {
  const { records } = useTexts();
  const { recordId } = useParams({ strict: false });
  const scroller = useRef<HTMLDivElement>(null);
  const shown = columns.flatMap((name) => facts.fields.find((field) => field.name === name) ?? []);
  const wanted = { connectionId, entity: entity.name, collection: entity.collection, view, fields: columns };
  const total = useRecordTotal(wanted);
  const rows = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = rows.getVirtualItems();
  const pages = useRecordPages(wanted, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  useEffect(() => onTotal(total), [total, onTotal]);
  const search = searchOfView(view);
  if (pages.error && total === undefined) return <ErrorNotice error={pages.error} onRetry={pages.refetch} />;
  return (
    <section
      ref={scroller}
      aria-label={records.list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus for the arrow keys.
      tabIndex={0}
      className={styles.scroller}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a real table cannot be placed at a position. */}
      <div role="table" aria-label={entity.title} aria-rowcount={(total ?? 0) + 1}>
        <HeaderRow fields={shown} view={view} onSort={onSort} />
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const record = pages.at(index);
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: a row is not interactive; the link in it is.
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                data-opened={record !== undefined && record.id === recordId}
                className={styles.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                {shown.map((field, place) => (
                  // biome-ignore lint/a11y/useSemanticElements: as above.
                  <div key={field.name} role="cell" className={cellClass(field)}>
                    {record && place === 0 && (
                      <Link
                        to="/connections/$connectionId/records/$entity/$recordId"
                        params={{ connectionId, entity: entity.name, recordId: record.id }}
                        search={search}
                        className={styles.opener}
                      >
                        {labelOf(record[field.name]) ?? record._displayValue ?? record.id}
                      </Link>
                    )}
                    {record && place > 0 && (
                      <FieldValue value={record[field.name]} kind={field.kind} connectionId={connectionId} />
                    )}
                    {!record && <span className={styles.waiting} />}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {total === undefined && <Loading lines={12} />}
      {total === 0 && <Empty title={records.none}>{view.conditions.length > 0 && records.noneMatch}</Empty>}
    </section>
  );
}

interface HeaderRowProps {
  readonly fields: readonly ReadField[];
  readonly view: ListView;
  readonly onSort: (view: ListView) => void;
}

function HeaderRow({ fields, view, onSort }: HeaderRowProps) {
  const { records } = useTexts();
  const orderOf = (name: string) => {
    if (view.sort === name) return 'ascending';
    return view.sort === `-${name}` ? 'descending' : 'none';
  };
  const sortBy = (name: string) => onSort({ ...view, sort: view.sort === name ? `-${name}` : name });
  return (
    // biome-ignore lint/a11y/useSemanticElements: as in the list.
    <div role="rowgroup" className={styles.header}>
      {/* biome-ignore lint/a11y/useSemanticElements: as in the list. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: a row is not interactive. */}
      <div role="row" aria-rowindex={1} className={styles.headerRow}>
        {fields.map((field) => (
          // biome-ignore lint/a11y/useSemanticElements: as in the list.
          // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus.
          <div
            key={field.name}
            role="columnheader"
            aria-sort={field.sortable ? orderOf(field.name) : undefined}
            className={cellClass(field)}
            title={field.description}
          >
            {field.sortable ? (
              <button
                type="button"
                className={styles.sort}
                aria-label={`${records.sortBy} ${field.name}`}
                onClick={() => sortBy(field.name)}
              >
                {field.name}
                <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[orderOf(field.name)]}</span>
              </button>
            ) : (
              field.name
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Kinds whose values are short. */
const SHORT = ['boolean', 'enum', 'date'];
/** Texts by which people recognize a record get more room. */
const WIDE = ['name', 'title', '_displayValue'];

function cellClass({ name, kind }: ReadField): string {
  const width = () => {
    if (kind === 'number' || kind === 'integer') return styles.numeric;
    if (WIDE.includes(name)) return styles.wide;
    return SHORT.includes(kind) || name === 'code' ? styles.short : '';
  };
  return `${styles.cell} ${width()}`;
}

function labelOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
