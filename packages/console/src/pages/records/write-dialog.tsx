import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { WriteRecord } from '@unified/sdk';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import type { CatalogEntity } from '../../contract/entity-catalog.ts';
import type { FormField } from '../../contract/entity-facts.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { bodyOfForm, type Entered, initialTexts } from './form-body.ts';
import { FormInput } from './form-input.tsx';
import { PlannedWrite } from './planned-write.tsx';
import { sendWrite, type Write } from './send-form.ts';

interface WriteDialogProps {
  readonly connectionId: string;
  readonly entity: CatalogEntity;
  readonly write: Write;
  readonly onClose: () => void;
}

/** A form for a create, an update or an action: first a dry run, which shows the steps, then the write itself. */
export function WriteDialog({ connectionId, entity, write, onClose }: WriteDialogProps) {
  const { writing, general } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { fields, title, description } = write.form;
  const initial = 'record' in write && write.kind === 'update' ? initialTexts(fields, write.record) : {};
  const [entered, setEntered] = useState<Entered>(initial);
  const chosen = useRef(new Map<string, string>());
  const remember = useCallback((idByLabel: ReadonlyMap<string, string>) => {
    for (const [label, id] of idByLabel) chosen.current.set(label, id);
  }, []);
  const send = useMutation({
    mutationFn: async (dryRun: boolean): Promise<WriteRecord> => {
      const body = bodyOfForm(fields, { entered, initial, chosen: chosen.current });
      return sendWrite(connectionId, entity.collection, { write, body, dryRun });
    },
    onSuccess: async ({ writeId }, dryRun) => {
      if (dryRun) return;
      queries.invalidateQueries({ queryKey: ['connection', connectionId] });
      onClose();
      const params = { connectionId, writeId };
      await navigate({ to: '/connections/$connectionId/writes/$writeId', params, search: {} });
    },
  });
  const plan = send.variables === true ? send.data : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send.mutate(plan === undefined);
  };
  const enter = ({ name }: FormField, value: string) => {
    setEntered({ ...entered, [name]: value });
    if (plan) send.reset();
  };
  return (
    <Dialog wide title={title} onClose={onClose}>
      {description && <p className="quiet">{description}</p>}
      <form className={formClass} onSubmit={submit}>
        {fields.map((field) => (
          <FormInput
            key={field.name}
            {...{ field, connectionId }}
            value={entered[field.name] ?? ''}
            onChange={(value) => enter(field, value)}
            onOptions={remember}
          />
        ))}
        {fields.length === 0 && <p>{writing.noFields}</p>}
        {send.error && <ErrorNotice error={send.error} />}
        {plan && <PlannedWrite plan={plan} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={send.isPending}>
            {plan ? writing.send : writing.check}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
