import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { useTexts } from '../texts/use-texts.ts';

export function NotFoundPage() {
  const { general } = useTexts();
  return (
    <main>
      <Page title={general.notFound}>
        <p>
          <Link to="/">{general.toStart}</Link>
        </p>
      </Page>
    </main>
  );
}
