import { Unlink } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Shown for a link from an email or an invite that has no valid token. */
export function IncompleteLink() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  return (
    <EmptyState
      heading="h1"
      picture={<Unlink aria-hidden className="size-12" />}
      title={t('link.title')}
      text={t('link.text')}
      action={
        <Link to={local(paths.home)} className={buttonClass({ kind: 'secondary' })}>
          {t('link.home')}
        </Link>
      }
    />
  );
}
