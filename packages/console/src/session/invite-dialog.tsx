import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { InvitedOperator, OperatorRole } from '../api/console-schemas.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { textsOf } from './form-texts.ts';
import { inviteOperator } from './operator-queries.ts';
import { formClass } from './sign-in-frame.tsx';

const ROLES: readonly OperatorRole[] = ['viewer', 'operator', 'admin'];

interface InviteDialogProps {
  readonly onClose: () => void;
  readonly onInvited: (invited: InvitedOperator) => void;
}

export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const { operators, account, general } = useTexts();
  const invitation = useMutation({ mutationFn: inviteOperator, onSuccess: onInvited });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', email = '', role = 'viewer' } = textsOf(event.currentTarget);
    invitation.mutate({ name, email, role: role as OperatorRole });
  };
  return (
    <Dialog title={operators.invite} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <TextField label={general.name} name="name" required maxLength={255} autoComplete="off" />
        <TextField label={operators.email} name="email" type="email" required autoComplete="off" />
        <SelectField label={operators.role} name="role" defaultValue="operator">
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {account.roles[role]}: {operators.roleHints[role]}
            </option>
          ))}
        </SelectField>
        {invitation.error && <ErrorNotice error={invitation.error} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={invitation.isPending}>
            {operators.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
