import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';
import { IncompleteLink } from './incomplete-link.tsx';

await wantTexts('auth');

export const meta = pageMeta('auth', 'invite');

export default function InvitePage() {
  return <IncompleteLink />;
}
