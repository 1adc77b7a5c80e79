import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { called } from '../../api/called.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { connectionsQuery } from '../connections/connection-queries.ts';

/** Sends a question, which can name a connection and a request. */
export function AskSupport({ onClose }: { readonly onClose: () => void }) {
  const { support, general, activity } = useTexts();
  const management = useManagement();
  const { applicationId } = useSession();
  const queries = useQueryClient();
  const connections = useQuery(connectionsQuery(management, applicationId));
  const sending = useMutation({
    mutationFn: async (body: { subject: string; body: string; connectionId?: string; requestId?: string }) =>
      called(management.POST('/support-requests', { body })),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['application', applicationId, 'support'] });
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { subject = '', body = '', connectionId, requestId } = textsOf(event.currentTarget);
    sending.mutate({ subject, body, ...(connectionId && { connectionId }), ...(requestId && { requestId }) });
  };
  return (
    <Dialog title={support.ask} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <TextField label={support.subject} name="subject" required maxLength={255} autoComplete="off" />
        <TextArea label={support.question} name="body" required maxLength={10_000} rows={6} />
        <SelectField label={support.connection} name="connectionId" defaultValue="">
          <option value="">{general.none}</option>
          {connections.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField label={activity.requestId} hint={support.requestHint} name="requestId" maxLength={255} />
        {sending.error && <ErrorNotice error={sending.error} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={sending.isPending}>
            {support.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
