import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useTexts } from '../texts/use-texts.ts';

/** Shown instead of a page that failed. */
export function FaultPage({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const { errors } = useTexts();
  return (
    <Page title={errors.title}>
      <ErrorNotice error={error} onRetry={reset} />
    </Page>
  );
}
