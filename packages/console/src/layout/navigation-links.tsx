import { Link, type LinkProps } from '@tanstack/react-router';
import { useAccessRequests } from '../pages/approvals/approval-queries.ts';
import { useCurrentConnection } from '../pages/connections/current-connection.ts';
import { useTexts } from '../texts/use-texts.ts';
import styles from './navigation.module.css';
import { type IconName, NavigationIcon } from './navigation-icon.tsx';

/** The links to all pages: those of the chosen connection, then those of the application. */
export function NavigationLinks() {
  const { navigation } = useTexts();
  const { connection } = useCurrentConnection();
  const { requests: pending } = useAccessRequests('pending');
  return (
    <>
      <ul className={styles.group}>
        <Entry icon="start" to="/" label={navigation.start} exact />
      </ul>
      {connection && (
        <section className={styles.group}>
          <h2 className={styles.heading}>{connection.name}</h2>
          <ul>
            <Entry
              icon="overview"
              to="/connections/$connectionId"
              params={{ connectionId: connection.id }}
              label={navigation.overview}
              exact
            />
            <Entry
              icon="records"
              to="/connections/$connectionId/records"
              params={{ connectionId: connection.id }}
              label={navigation.records}
            />
            <Entry
              icon="writes"
              to="/connections/$connectionId/writes"
              params={{ connectionId: connection.id }}
              label={navigation.writes}
            />
            <Entry
              icon="mappings"
              to="/connections/$connectionId/mappings"
              params={{ connectionId: connection.id }}
              label={navigation.mappings}
            />
            <Entry
              icon="dataMappings"
              to="/connections/$connectionId/data-mappings"
              params={{ connectionId: connection.id }}
              label={navigation.dataMappings}
            />
            <Entry
              icon="query"
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
          <Entry icon="connections" to="/connections" label={navigation.connections} exact />
          <Entry icon="approvals" to="/approvals" label={navigation.approvals} count={pending?.length} />
          <Entry icon="policy" to="/policy" label={navigation.policy} />
          <Entry icon="webhooks" to="/webhooks" label={navigation.webhooks} />
          <Entry icon="requests" to="/requests" label={navigation.requests} />
          <Entry icon="audit" to="/audit" label={navigation.audit} />
          <Entry icon="access" to="/access" label={navigation.access} />
          <Entry icon="support" to="/support" label={navigation.support} />
        </ul>
      </section>
    </>
  );
}

interface EntryProps extends Pick<LinkProps, 'to' | 'params'> {
  readonly icon: IconName;
  readonly label: string;
  /** Whether only the page itself counts as current, and not the pages below it. */
  readonly exact?: boolean;
  /** Shown beside the label, unless it is zero. */
  readonly count?: number | undefined;
}

function Entry({ icon, to, params, label, exact = false, count = 0 }: EntryProps) {
  return (
    <li>
      <Link
        to={to as '/'}
        params={params as object}
        activeOptions={{ exact, includeSearch: false }}
        className={styles.link}
      >
        <NavigationIcon name={icon} />
        <span className={styles.label}>{label}</span>
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Link>
    </li>
  );
}
