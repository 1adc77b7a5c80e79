import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { called } from '../../api/called.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { textsOf } from '../../session/form-texts.ts';
import { useManagement } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import type { Connection } from './connection-queries.ts';

interface ConnectionSettingsProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** The name and the schedule of a connection. */
export function ConnectionSettings({ connection, onClose }: ConnectionSettingsProps) {
  const { connections, general } = useTexts();
  const management = useManagement();
  const { id, name, syncSchedule } = connection;
  const change = useMutation({
    mutationFn: async (body: { name: string; syncSchedule: { everyMinutes: number; fullEveryHours: number } }) =>
      called(management.PATCH('/connections/{id}', { params: { path: { id } }, body })),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = textsOf(event.currentTarget);
    const schedule = { everyMinutes: Number(given.everyMinutes), fullEveryHours: Number(given.fullEveryHours) };
    change.mutate({ name: given.name ?? name, syncSchedule: schedule });
  };
  return (
    <Dialog title={connections.settings} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <TextField label={general.name} name="name" defaultValue={name} required maxLength={255} />
        <TextField
          label={connections.everyMinutes}
          name="everyMinutes"
          type="number"
          step="any"
          min={0}
          defaultValue={syncSchedule.everyMinutes}
          required
        />
        <TextField
          label={connections.fullEveryHours}
          name="fullEveryHours"
          type="number"
          step="any"
          min={0}
          defaultValue={syncSchedule.fullEveryHours}
          required
        />
        {change.error && <ErrorNotice error={change.error} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={change.isPending}>
            {general.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
