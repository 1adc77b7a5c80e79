import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../parts/button.tsx';
import { Loading } from '../parts/loading.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { rememberedPath } from './remembered-path.ts';
import { completeOpenIdSignIn, sessionQuery } from './session-queries.ts';
import { formClass, SignInFrame } from './sign-in-frame.tsx';

/** Completes a sign-in with the response of the OpenID Connect provider, which is the query of the address. */
export function OpenIdPage() {
  const texts = useTexts().signIn;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    mutationFn: completeOpenIdSignIn,
    onSuccess: async (session) => {
      queries.setQueryData(sessionQuery.queryKey, session);
      await navigate({ to: rememberedPath(), search: {}, replace: true });
    },
  });
  const isSent = useRef(false);
  useEffect(() => {
    // The code works once, and effects run twice during development.
    if (isSent.current) return;
    isSent.current = true;
    const response = location.search.slice(1);
    // The code is of no use to anyone who sees the address later.
    history.replaceState(history.state, '', location.pathname);
    mutate(response);
  }, [mutate]);
  return (
    <SignInFrame title={error ? texts.title : texts.completing} lead={texts.lead}>
      {error ? (
        <div className={formClass}>
          <ErrorNotice error={error} />
          <Link to="/sign-in" className={buttonClass('main')}>
            {texts.again}
          </Link>
        </div>
      ) : (
        <Loading lines={2} />
      )}
    </SignInFrame>
  );
}
