import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { textsOf } from './form-texts.ts';
import { sessionQuery, signIn, signInMethodsQuery } from './session-queries.ts';
import { formClass, SignInFrame } from './sign-in-frame.tsx';

export function SignInPage() {
  const texts = useTexts().signIn;
  const { next } = useSearch({ strict: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const methods = useQuery(signInMethodsQuery);
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      // Only a path of these pages: the address could name any other.
      await navigate({ to: next?.startsWith('/') && !next.startsWith('//') ? next : '/', search: {} });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { email = '', password = '' } = textsOf(event.currentTarget);
    attempt.mutate({ email, password });
  };
  return (
    <SignInFrame title={texts.title} lead={texts.lead}>
      <form className={formClass} onSubmit={submit}>
        {methods.data?.needsFirstOperator && <Notice tone="warn">{texts.firstNeeded}</Notice>}
        <TextField label={texts.email} name="email" type="email" autoComplete="username" required autoFocus />
        <TextField label={texts.password} name="password" type="password" autoComplete="current-password" required />
        {attempt.error && <ErrorNotice error={attempt.error} />}
        <Button type="submit" look="main" busy={attempt.isPending}>
          {texts.submit}
        </Button>
      </form>
    </SignInFrame>
  );
}
