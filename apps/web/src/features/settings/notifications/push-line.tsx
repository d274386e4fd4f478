import { useTranslation } from '../../../core/i18n/use-translation.ts';
import type { PushState } from '../../../core/notifications/push.ts';
import { productName } from '../../../product.ts';

/** State of notifications while the app is closed. */
export function PushLine({ push }: { push: PushState }) {
  const { t } = useTranslation('app');
  return <p className="mt-2 text-muted">{t(`push.state.${push}`, { product: productName })}</p>;
}
