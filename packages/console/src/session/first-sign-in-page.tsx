import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { textsOf } from './form-texts.ts';
import { redeemLink, sessionQuery, signInMethodsQuery } from './session-queries.ts';
import { formClass, SignInFrame } from './sign-in-frame.tsx';

/** Sets the password of an operator with the token of a one-time link, which is the fragment of the address. */
export function FirstSignInPage() {
  const texts = useTexts().signIn;
  const [token] = useState(() => location.hash.slice(1));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: methods } = useQuery(signInMethodsQuery);
  const isFirst = methods?.needsFirstOperator ?? false;
  const attempt = useMutation({
    mutationFn: redeemLink,
    onSuccess: async (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      await navigate({ to: '/', search: {}, hash: '', replace: true });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = '', name, email } = textsOf(event.currentTarget);
    attempt.mutate({ token, password, ...(name && { name }), ...(email && { email }) });
  };
  return (
    <SignInFrame title={texts.firstTitle} lead={isFirst ? texts.firstAdmin : texts.firstLead}>
      {token === '' ? (
        <Notice tone="warn">{texts.noToken}</Notice>
      ) : (
        <form className={formClass} onSubmit={submit}>
          {isFirst && (
            <>
              <TextField label={texts.personName} name="name" autoComplete="name" required autoFocus maxLength={255} />
              <TextField label={texts.email} name="email" type="email" autoComplete="username" required />
            </>
          )}
          <TextField
            label={texts.newPassword}
            hint={texts.passwordHint}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={255}
          />
          {attempt.error && <ErrorNotice error={attempt.error} />}
          <Button type="submit" look="main" busy={attempt.isPending}>
            {texts.create}
          </Button>
        </form>
      )}
    </SignInFrame>
  );
}
