import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { ServiceError } from '@unified/sdk';
import { Suspense, useState } from 'react';
import { Loading } from '../parts/loading.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { readChoice, storeChoice } from '../preferences/stored-choices.ts';
import { SessionContext } from '../session/session-context.ts';
import { sessionQuery } from '../session/session-queries.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Navigation } from './navigation.tsx';
import { Reachability } from './reachability.tsx';
import styles from './shell.module.css';
import { ToSignIn } from './to-sign-in.tsx';

/** The frame of all pages for a signed-in operator; others are sent to the sign-in page. */
export function Shell() {
  const { general } = useTexts();
  const session = useQuery(sessionQuery);
  const [chosen, setChosen] = useState(() => readChoice<string>('application'));
  if (session.isPending) return <Loading />;
  if (session.error instanceof ServiceError && session.error.status === 401) return <ToSignIn />;
  if (!session.data) return <ErrorNotice error={session.error} onRetry={() => session.refetch()} />;
  const { applications } = session.data;
  const application = applications.find(({ id }) => id === chosen) ?? applications[0];
  const chooseApplication = (id: string) => {
    storeChoice('application', id);
    setChosen(id);
  };
  return (
    <SessionContext value={{ ...session.data, applicationId: application?.id ?? '', chooseApplication }}>
      <a href="#content" className={styles.skip}>
        {general.skip}
      </a>
      <div className={styles.shell}>
        <Navigation />
        <main id="content" tabIndex={-1} className={styles.content}>
          <Reachability />
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </SessionContext>
  );
}
