import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverUrl } from '../../api/base-url.ts';
import { shortToken } from '../../api/service-clients.ts';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { listSamples, type Samples } from '../../samples/list-samples.ts';
import { querySamples } from '../../samples/query-samples.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { capabilitiesQuery } from '../records/capability-queries.ts';
import styles from './first-calls.module.css';
import { firstEntity } from './first-entity.ts';
import { RunnableCall } from './runnable-call.tsx';

const TOKEN_MINUTES = 10;
const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const satisfies Record<
  keyof Samples,
  string
>;

/** Three calls with a real token, which a button runs. */
export function FirstCalls({ connectionId }: { readonly connectionId: string }) {
  const { start } = useTexts();
  const [language, setLanguage] = useState<keyof Samples>('curl');
  const capabilities = useQuery(capabilitiesQuery(connectionId));
  const token = useQuery({
    queryKey: ['connection', connectionId, 'short-token'],
    queryFn: () => shortToken(connectionId),
    staleTime: (TOKEN_MINUTES - 1) * 60_000,
  });
  const failure = capabilities.error ?? token.error;
  const entity = capabilities.data && firstEntity(capabilities.data);
  if (failure) return <ErrorNotice error={failure} />;
  if (!token.data || !capabilities.data) return <Loading />;
  if (!entity) return null;
  const { collection, title } = entity;
  const list = { serverUrl, token: token.data, collection, perPage: 3, conditions: [], sort: undefined };
  const newest = { ...list, sort: '-_updatedAt' };
  const statement = `select count(*) as records, max(_updatedAt) as latest from ${collection.replaceAll('-', '_')}`;
  const calls = [
    { title: start.list(title), samples: listSamples(list), run: { collection, sort: undefined } },
    { title: start.newest(title), samples: listSamples(newest), run: { collection, sort: '-_updatedAt' } },
    { title: start.ask, samples: querySamples({ ...list, statement }), run: { statement } },
  ];
  return (
    <Card
      title={start.calls}
      actions={<Choice label={start.language} options={LANGUAGES} value={language} onChange={setLanguage} />}
    >
      <div className={styles.calls}>
        <p className="quiet">{start.callsLead(TOKEN_MINUTES)}</p>
        {calls.map((call) => (
          <RunnableCall
            key={call.title}
            connectionId={connectionId}
            title={call.title}
            code={call.samples[language]}
            run={call.run}
          />
        ))}
      </div>
    </Card>
  );
}
