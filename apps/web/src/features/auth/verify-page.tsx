import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';
import { IncompleteLink } from './incomplete-link.tsx';

await wantTexts('auth');

export const meta = pageMeta('auth', 'verify');

export default function VerifyPage() {
  return <IncompleteLink />;
}
