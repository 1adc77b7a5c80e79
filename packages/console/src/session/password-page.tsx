import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { TextField } from '../parts/field.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { textsOf } from './form-texts.ts';
import { useSession } from './session-context.ts';
import { changePassword } from './session-queries.ts';
import { formClass, narrowClass } from './sign-in-frame.tsx';

/** Changes the password of the operator who is signed in. */
export function PasswordPage() {
  const { password: texts, signIn } = useTexts();
  const { operator } = useSession();
  const [differ, setDiffer] = useState(false);
  const change = useMutation({ mutationFn: changePassword });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { currentPassword = '', newPassword = '', repeated } = textsOf(form);
    setDiffer(newPassword !== repeated);
    if (newPassword === repeated) change.mutate({ currentPassword, newPassword }, { onSuccess: () => form.reset() });
  };
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className={narrowClass}>
        <Card>
          <form className={formClass} onSubmit={submit}>
            <input type="text" name="username" autoComplete="username" value={operator.email} readOnly hidden />
            <TextField
              label={texts.current}
              name="currentPassword"
              type="password"
              autoComplete="current-password"
              required
            />
            <TextField
              label={signIn.newPassword}
              hint={signIn.passwordHint}
              {...{ name: 'newPassword', type: 'password', autoComplete: 'new-password' }}
              {...{ required: true, minLength: 12, maxLength: 255 }}
            />
            <TextField label={texts.repeat} name="repeated" type="password" autoComplete="new-password" required />
            {differ && <Notice tone="bad">{texts.differ}</Notice>}
            {change.error && <ErrorNotice error={change.error} />}
            {change.isSuccess && (
              <Notice tone="good">
                <p role="status">{texts.changed}</p>
              </Notice>
            )}
            <div>
              <Button type="submit" look="main" busy={change.isPending}>
                {texts.change}
              </Button>
            </div>
          </form>
        </Card>
      </div>
    </Page>
  );
}
