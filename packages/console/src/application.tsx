import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ServiceError } from '@unified/sdk';
import { router } from './routes.tsx';
import { LanguageProvider } from './texts/language-provider.tsx';

/** The SDK retries calls. Pages keep what they show while the service is unreachable, and ask for it again later. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ staleTime: 5_000, retry: false, refetchOnReconnect: true, throwOnError: isProgrammingError },
      // Otherwise, queries of a browser that is offline wait, and the page does not show that the service is unreachable.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Errors that are not from the service or the network are shown by the page of the router, not by a notice. */
function isProgrammingError(error: Error): boolean {
  return error instanceof TypeError && !(error instanceof ServiceError);
}

export function Application() {
  return (
    <CSPProvider disableStyleElements>
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </CSPProvider>
  );
}
