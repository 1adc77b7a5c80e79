import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useManagement, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ClientCard } from './client-card.tsx';

/** The clients of an application, with the secrets with which they get tokens. */
export function AccessPage() {
  const { access } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['application', applicationId, 'clients'],
    queryFn: () => dataOf<Shape<'OAuthClient'>[]>(management.GET('/clients', { params: { query: { per_page: 100 } } })),
  });
  return (
    <Page title={access.title} lead={access.lead}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {!data && !error && <Loading />}
      {data?.map((client) => (
        <ClientCard key={client.id} client={client} />
      ))}
    </Page>
  );
}
