import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { capabilitiesQuery } from '../records/capability-queries.ts';
import { revisionsQuery } from './mapping-queries.ts';
import { RevisionCard } from './revision-card.tsx';

/** How the rows of a connected system become records: the revisions of a mapping, and what each changes. */
export function MappingsPage() {
  const { mappings } = useTexts();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId/mappings' });
  const { entity: wanted } = useSearch({ strict: false });
  const navigate = useNavigate();
  const capabilities = useQuery(capabilitiesQuery(connectionId));
  const names = capabilities.data?.map(({ entity }) => entity).toSorted() ?? [];
  const entity = wanted ?? (names.includes('Vendor') ? 'Vendor' : (names[0] ?? ''));
  const revisions = useQuery({
    ...revisionsQuery(useManagement(), connectionId, entity),
    enabled: entity !== '',
  });
  const active = revisions.data?.find(({ isActive }) => isActive);
  const failure = capabilities.error ?? revisions.error;
  return (
    <Page
      title={mappings.title}
      lead={mappings.lead}
      actions={
        entity !== '' && (
          <Link
            to="/connections/$connectionId/mappings/$entity"
            params={{ connectionId, entity }}
            search={{}}
            className={buttonClass('main')}
          >
            {mappings.edit}
          </Link>
        )
      }
    >
      <SelectField
        narrow
        label={mappings.entity}
        value={entity}
        onChange={({ currentTarget }) => navigate({ to: '.', search: { entity: currentTarget.value }, replace: true })}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {catalogEntity(name)?.title ?? name}
          </option>
        ))}
      </SelectField>
      {failure && <ErrorNotice error={failure} />}
      {!revisions.data && !failure && (
        <Card>
          <Loading />
        </Card>
      )}
      {active &&
        revisions.data?.map((revision) => (
          <RevisionCard key={`${entity} ${revision.revision}`} {...{ connectionId, entity, revision, active }} />
        ))}
    </Page>
  );
}
