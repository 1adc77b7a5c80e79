import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AuthorizationProgress, type OpenedLink } from './authorization-progress.tsx';
import { customersQuery, platformsQuery } from './platform-queries.ts';

/** Chooses a platform and a customer, then opens the authorization page of the service, which asks for the access. */
export function AddConnection({ onClose }: { readonly onClose: () => void }) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const queries = useQueryClient();
  const platforms = useQuery(platformsQuery(management));
  const customers = useQuery(customersQuery(management, applicationId));
  const [customer, setCustomer] = useState('');
  const creation = useMutation({
    mutationFn: async ({ platform, name }: { platform: string; name: string }): Promise<OpenedLink> => {
      const endCustomerId =
        customer || (await dataOf<Shape<'EndCustomer'>>(management.POST('/end-customers', { body: { name } }))).id;
      const call = management.POST('/end-customers/{endCustomerId}/setup-links', {
        params: { path: { endCustomerId } },
        body: { platform },
      });
      const { id, url } = await dataOf<Shape<'SetupLink'>>(call);
      return { endCustomerId, linkId: id, url: url ?? '' };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['application', applicationId] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { platform = '', name = '' } = textsOf(event.currentTarget);
    // Browsers let a page open a tab only while they handle a click.
    const tab = window.open('');
    creation.mutate(
      { platform, name },
      { onSuccess: ({ url }) => tab?.location.replace(url), onError: () => tab?.close() },
    );
  };
  if (creation.data) return <AuthorizationProgress opened={creation.data} onClose={onClose} />;
  const failure = platforms.error ?? customers.error ?? creation.error;
  const isReady = platforms.data && customers.data;
  return (
    <Dialog title={connections.add} onClose={onClose}>
      {failure && <ErrorNotice error={failure} />}
      {!isReady && !failure && <Loading />}
      {isReady && (
        <form className={formClass} onSubmit={submit}>
          <SelectField label={connections.choosePlatform} name="platform">
            {platforms.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={connections.endCustomer}
            value={customer}
            onChange={({ currentTarget }) => setCustomer(currentTarget.value)}
          >
            <option value="">{connections.newCustomer}</option>
            {customers.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          {customer === '' && <TextField label={connections.customerName} name="name" required maxLength={255} />}
          <p className="quiet">{connections.continueHint}</p>
          <DialogActions>
            <Button onClick={onClose}>{general.cancel}</Button>
            <Button type="submit" look="main" busy={creation.isPending}>
              {connections.continue}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
