import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { catalog, catalogEntity } from '../../contract/entity-catalog.ts';
import { TextField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { capabilitiesQuery } from './capability-queries.ts';
import styles from './records-index.module.css';

/** All kinds of records that the connected system has, by subject. */
export function RecordsIndexPage() {
  const { records } = useTexts();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId/records' });
  const [sought, setSought] = useState('');
  const { data, error, refetch } = useQuery(capabilitiesQuery(connectionId));
  const listed = new Set(data?.filter(({ operations }) => operations.includes('list')).map(({ entity }) => entity));
  const groups = catalog.groups.map(({ name, entities }) => ({
    name,
    entities: entities
      .filter((entity) => listed.has(entity))
      .flatMap((entity) => catalogEntity(entity) ?? [])
      .filter(({ title }) => title.toLowerCase().includes(sought.toLowerCase())),
  }));
  return (
    <Page title={records.indexTitle} lead={records.indexLead}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <TextField
          label={records.find}
          type="search"
          value={sought}
          onChange={({ currentTarget }) => setSought(currentTarget.value)}
        />
      )}
      <div className={styles.groups}>
        {groups
          .filter(({ entities }) => entities.length > 0)
          .map(({ name, entities }) => (
            <section key={name} className={styles.group}>
              <h2>{name}</h2>
              <ul>
                {entities.map((entity) => (
                  <li key={entity.name}>
                    <Link
                      to="/connections/$connectionId/records/$entity"
                      params={{ connectionId, entity: entity.name }}
                      className={styles.link}
                    >
                      {entity.title}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </div>
    </Page>
  );
}
