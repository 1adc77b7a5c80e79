import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { useManagement, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';

const EVERY_MS = 1500;

/** A setup link whose authorization page was opened in another tab. */
export interface OpenedLink {
  readonly endCustomerId: string;
  readonly linkId: string;
  readonly url: string;
}

interface AuthorizationProgressProps {
  readonly opened: OpenedLink;
  readonly onClose: () => void;
}

/** Waits until the system is connected in the other tab, then leads to its page. */
export function AuthorizationProgress({ opened, onClose }: AuthorizationProgressProps) {
  const { connections, general } = useTexts();
  const { applicationId } = useSession();
  const management = useManagement();
  const queries = useQueryClient();
  const { endCustomerId, linkId, url } = opened;
  const { data: connectionId, error } = useQuery({
    queryKey: ['setup-link', linkId],
    queryFn: async () => {
      const path = { endCustomerId };
      const links = await dataOf<Shape<'SetupLink'>[]>(
        management.GET('/end-customers/{endCustomerId}/setup-links', { params: { path } }),
      );
      return links.find(({ id }) => id === linkId)?.connectionId ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : EVERY_MS),
    // The other tab is in front while the person uses it.
    refetchIntervalInBackground: true,
  });
  useEffect(() => {
    if (connectionId) queries.invalidateQueries({ queryKey: ['application', applicationId] });
  }, [connectionId, applicationId, queries]);
  return (
    <Dialog title={connections.add} onClose={onClose}>
      {error && <ErrorNotice error={error} />}
      {connectionId ? (
        <Notice tone="good">
          <p role="status">{connections.connected}</p>
        </Notice>
      ) : (
        <>
          <p role="status">{connections.waiting}</p>
          <p className="quiet">
            <a href={url} target="_blank" rel="noreferrer">
              {connections.openForm} ↗
            </a>
          </p>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{general.close}</Button>
        {connectionId && (
          <Link
            to="/connections/$connectionId"
            params={{ connectionId }}
            search={{}}
            className={buttonClass('main')}
            onClick={onClose}
          >
            {connections.watch}
          </Link>
        )}
      </DialogActions>
    </Dialog>
  );
}
