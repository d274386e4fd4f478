import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { ShortcutsSheet } from '../../../forms/shortcuts-sheet.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { settingsCardClass } from '../settings-card.tsx';

export function ShortcutsCard() {
  const { t } = useTranslation('preferences');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={settingsCardClass} aria-label={t('shortcuts.title')}>
      <CustomButton kind="secondary" icon={<Keyboard aria-hidden className="size-5" />} onClick={() => setIsOpen(true)}>
        {t('shortcuts.open')}
      </CustomButton>
      <ShortcutsSheet isOpen={isOpen} onOpenChange={setIsOpen} />
    </section>
  );
}
