import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { customersQuery, platformsQuery } from './platform-queries.ts';

/** Chooses a platform and a customer, then leads to the authorization page of the service, which asks for the access. */
export function AddConnection({ onClose }: { readonly onClose: () => void }) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const queries = useQueryClient();
  const platforms = useQuery(platformsQuery(management));
  const customers = useQuery(customersQuery(management, applicationId));
  const [customer, setCustomer] = useState('');
  const creation = useMutation({
    mutationFn: async ({ platform, name }: { platform: string; name: string }) => {
      const endCustomerId =
        customer || (await dataOf<Shape<'EndCustomer'>>(management.POST('/end-customers', { body: { name } }))).id;
      const path = { endCustomerId };
      const call = management.POST('/end-customers/{endCustomerId}/setup-links', {
        params: { path },
        body: { platform },
      });
      return (await dataOf<Shape<'SetupLink'>>(call)).url ?? '';
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['application', applicationId] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { platform = '', name = '' } = textsOf(event.currentTarget);
    creation.mutate({ platform, name });
  };
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
          <DialogActions>
            <Button onClick={onClose}>{general.cancel}</Button>
            {creation.data ? (
              <a className={buttonClass('main')} href={creation.data} target="_blank" rel="noreferrer">
                {connections.openForm} ↗
              </a>
            ) : (
              <Button type="submit" look="main" busy={creation.isPending}>
                {connections.add}
              </Button>
            )}
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
