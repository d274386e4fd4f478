import { Forward } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';

export function ForwardedLine() {
  const { t } = useTranslation('chat');
  return (
    <p className="flex items-center gap-1 px-1 text-small italic opacity-80">
      <Forward aria-hidden className="size-3.5" />
      {t('message.forwarded')}
    </p>
  );
}
