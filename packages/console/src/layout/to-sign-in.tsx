import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading } from '../parts/loading.tsx';

/**
 * Leads to the sign-in page, once: while its code is loaded, the page renders again with the new address, and the component
 * `Navigate` of the router would then navigate with each rendering, without end.
 */
export function ToSignIn() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [next] = useState(pathname);
  useEffect(() => {
    navigate({ to: '/sign-in', search: next === '/' ? {} : { next }, replace: true });
  }, [navigate, next]);
  return <Loading />;
}
