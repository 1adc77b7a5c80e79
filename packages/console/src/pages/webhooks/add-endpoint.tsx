import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { eventKinds } from '../../contract/event-kinds.ts';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';

/** Registers an address for events, and shows the secret that signs them once. */
export function AddEndpoint({ onClose }: { readonly onClose: () => void }) {
  const { webhooks, general, connections } = useTexts();
  const management = useManagement();
  const queries = useQueryClient();
  const registration = useMutation({
    mutationFn: (body: { url: string; events: string[] }) =>
      dataOf<Shape<'WebhookEndpointSecret'>>(management.POST('/webhook-endpoints', { body: body as never })),
    onSuccess: () => queries.invalidateQueries(),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    registration.mutate({ url: String(form.get('url')), events: form.getAll('event').map(String) });
  };
  if (registration.data) {
    return (
      <Dialog title={webhooks.secret} onClose={onClose}>
        <p>{connections.issuedLead}</p>
        <Code text={registration.data.secret} label={webhooks.secret} />
      </Dialog>
    );
  }
  return (
    <Dialog title={webhooks.add} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <TextField label={webhooks.address} name="url" type="url" required placeholder="https://" />
        <fieldset>
          <legend>{webhooks.events}</legend>
          {eventKinds.map((kind) => (
            <label key={kind}>
              <input type="checkbox" name="event" value={kind} /> <code>{kind}</code>
            </label>
          ))}
        </fieldset>
        {registration.error && <ErrorNotice error={registration.error} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={registration.isPending}>
            {webhooks.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
