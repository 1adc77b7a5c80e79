import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { textsOf } from './form-texts.ts';
import { pathAfterSignIn, rememberPath } from './remembered-path.ts';
import { beginOpenIdSignIn, sessionQuery, signIn, signInMethodsQuery } from './session-queries.ts';
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
      await navigate({ to: pathAfterSignIn(next), search: {} });
    },
  });
  const away = useMutation({
    mutationFn: beginOpenIdSignIn,
    onSuccess: (url) => {
      rememberPath(next);
      location.assign(url);
    },
  });
  const provider = methods.data?.provider;
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
        {provider && (
          <Button busy={away.isPending} onClick={() => away.mutate()}>
            {texts.withProvider(provider)}
          </Button>
        )}
        {away.error && <ErrorNotice error={away.error} />}
      </form>
    </SignInFrame>
  );
}
