import { Link, type LinkProps } from '@tanstack/react-router';
import { useAccessRequests } from '../pages/approvals/approval-queries.ts';
import { useCurrentConnection } from '../pages/connections/current-connection.ts';
import { useTexts } from '../texts/use-texts.ts';
import styles from './navigation.module.css';

/** The links to all pages: those of the chosen connection, then those of the application. */
export function NavigationLinks() {
  const { navigation } = useTexts();
  const { connection } = useCurrentConnection();
  const { requests: pending } = useAccessRequests('pending');
  return (
    <>
      <ul className={styles.group}>
        <Entry to="/" label={navigation.start} exact />
      </ul>
      {connection && (
        <section className={styles.group}>
          <h2 className={styles.heading}>{connection.name}</h2>
          <ul>
            <Entry
              to="/connections/$connectionId"
              params={{ connectionId: connection.id }}
              label={navigation.overview}
              exact
            />
            <Entry
              to="/connections/$connectionId/records"
              params={{ connectionId: connection.id }}
              label={navigation.records}
            />
            <Entry
              to="/connections/$connectionId/writes"
              params={{ connectionId: connection.id }}
              label={navigation.writes}
            />
            <Entry
              to="/connections/$connectionId/mappings"
              params={{ connectionId: connection.id }}
              label={navigation.mappings}
            />
            <Entry
              to="/connections/$connectionId/query"
              params={{ connectionId: connection.id }}
              label={navigation.query}
            />
          </ul>
        </section>
      )}
      <section className={styles.group}>
        <h2 className={styles.heading}>{navigation.workspace}</h2>
        <ul>
          <Entry to="/connections" label={navigation.connections} exact />
          <Entry to="/approvals" label={navigation.approvals} count={pending?.length} />
          <Entry to="/webhooks" label={navigation.webhooks} />
          <Entry to="/requests" label={navigation.requests} />
          <Entry to="/audit" label={navigation.audit} />
          <Entry to="/access" label={navigation.access} />
        </ul>
      </section>
    </>
  );
}

interface EntryProps extends Pick<LinkProps, 'to' | 'params'> {
  readonly label: string;
  /** Whether only the page itself counts as current, and not the pages below it. */
  readonly exact?: boolean;
  /** Shown beside the label, unless it is zero. */
  readonly count?: number | undefined;
}

function Entry({ to, params, label, exact = false, count = 0 }: EntryProps) {
  return (
    <li>
      <Link
        to={to as '/'}
        params={params as object}
        activeOptions={{ exact, includeSearch: false }}
        className={styles.link}
      >
        {label}
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Link>
    </li>
  );
}
