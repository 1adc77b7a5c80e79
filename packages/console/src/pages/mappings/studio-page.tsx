import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { catalogEntity } from '../../contract/entity-catalog.ts';
import { factsQuery } from '../../contract/load-facts.ts';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { revisionsQuery } from './mapping-queries.ts';

/** Edits the mapping of a kind of record: columns of the connected system, words, and our fields. */
export function StudioPage() {
  const { studio, mappings } = useTexts();
  const { connectionId, entity } = useParams({ from: '/shell/connections/$connectionId/mappings/$entity' });
  const revisions = useQuery(revisionsQuery(useManagement(), connectionId, entity));
  const facts = useQuery(factsQuery(entity));
  const failure = revisions.error ?? facts.error;
  const title = studio.title(catalogEntity(entity)?.title ?? entity);
  return (
    <Page
      title={title}
      lead={
        <>
          {studio.lead}
          <br />
          <Link to="/connections/$connectionId/mappings" params={{ connectionId }} search={{ entity }}>
            {mappings.revisions}
          </Link>
        </>
      }
    >
      {failure && <ErrorNotice error={failure} onRetry={revisions.refetch} />}
      {!failure && !(revisions.data && facts.data) && <Loading lines={8} />}
      {revisions.data && facts.data && (
        <MappingEditor
          key={`${connectionId} ${entity}`}
          {...{ connectionId, entity }}
          revisions={revisions.data}
          facts={facts.data}
        />
      )}
    </Page>
  );
}
