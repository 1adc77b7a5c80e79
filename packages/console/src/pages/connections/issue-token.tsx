import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { serverUrl } from '../../api/base-url.ts';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { catalog } from '../../contract/entity-catalog.ts';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement, useMayChange } from '../../session/session-context.ts';
import { formClass } from '../../session/sign-in-frame.tsx';
import { useTexts } from '../../texts/use-texts.ts';

const LIFETIMES = [30, 90, 180, 365];
const SCOPES = ['read', 'write', 'passthrough'] as const;
/** Calls with it reach everything in the connected system. */
const ADMIN_SCOPE = 'passthrough';
const USUAL: readonly string[] = ['read', 'write'];

interface TokenInput {
  readonly name: string;
  readonly expiresInDays?: number;
  readonly scopes: (typeof SCOPES)[number][];
}

interface IssueTokenProps {
  readonly connectionId: string;
  readonly onClose: () => void;
}

/** Issues a token for a connection and shows it once. */
export function IssueToken({ connectionId: id, onClose }: IssueTokenProps) {
  const { connections, general } = useTexts();
  const isAdmin = useMayChange('admin');
  const management = useManagement();
  const issue = useMutation({
    mutationFn: (body: TokenInput) =>
      dataOf<Shape<'ConnectionToken'>>(management.POST('/connections/{id}/token', { params: { path: { id } }, body })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const expiresInDays = Number(form.get('days'));
    const scopes = form.getAll('scope') as TokenInput['scopes'];
    issue.mutate({ name: String(form.get('name')), ...(expiresInDays > 0 && { expiresInDays }), scopes });
  };
  if (issue.data) {
    const { token } = issue.data;
    const call = `curl -sS -H 'Authorization: Bearer ${token}' '${serverUrl}${catalog.prefix}/vendors?per_page=3'`;
    return (
      <Dialog title={connections.issued} onClose={onClose}>
        <p>{connections.issuedLead}</p>
        <Code text={token} label={connections.issued} />
        <h3>{connections.tryIt}</h3>
        <Code text={call} label={connections.tryIt} />
        <DialogActions>
          <Button look="main" onClick={onClose}>
            {general.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={connections.issue} onClose={onClose}>
      <form className={formClass} onSubmit={submit}>
        <TextField label={connections.tokenName} name="name" required maxLength={255} autoComplete="off" />
        <SelectField label={connections.expiresIn} name="days" defaultValue="90">
          {LIFETIMES.map((days) => (
            <option key={days} value={days}>
              {connections.days(days)}
            </option>
          ))}
          <option value="0">{general.never}</option>
        </SelectField>
        <fieldset>
          <legend>{connections.scopes}</legend>
          {SCOPES.filter((scope) => isAdmin || scope !== ADMIN_SCOPE).map((scope) => (
            <label key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={USUAL.includes(scope)} />{' '}
              {connections.scopeNames[scope]}
            </label>
          ))}
        </fieldset>
        {issue.error && <ErrorNotice error={issue.error} />}
        <DialogActions>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button type="submit" look="main" busy={issue.isPending}>
            {connections.issue}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
