import { pageMeta } from '../core/lib/page-meta.ts';
import { ErrorView } from './error-page.tsx';

export const meta = pageMeta('shell', 'notFound');

export default function NotFoundPage() {
  return <ErrorView code={404} />;
}
