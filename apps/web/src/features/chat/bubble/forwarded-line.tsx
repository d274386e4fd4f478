import { Forward } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function ForwardedLine() {
  const { t } = useTranslation('chat');
  return (
    <p className="flex items-center gap-1 px-1 text-small italic opacity-80">
      <Forward aria-hidden className="size-3.5" />
      {t('message.forwarded')}
    </p>
  );
}
