import { useTranslation } from '../../core/i18n/use-translation.ts';
import { AboutSection } from './about-section.tsx';
import type { Operator } from './use-operator.ts';

interface OperatorCardProps {
  operator: Operator | undefined;
}

export function OperatorCard({ operator }: OperatorCardProps) {
  const { t } = useTranslation('privacy');
  const { name = null, contacts = [] } = operator ?? {};
  const isSilent = operator !== undefined && name === null && contacts.length === 0;
  return (
    <AboutSection id="operator" title={t('operator.title')}>
      <div aria-busy={operator === undefined}>
        {/* Reserves the space until the server answers, so the content below does not move. */}
        {operator === undefined && <p className="invisible mt-3">{t('operator.unknown')}</p>}
        {isSilent && <p className="mt-3">{t('operator.unknown')}</p>}
        {name !== null && <p className="mt-3">{t('operator.named', { name })}</p>}
        {contacts.length > 0 && (
          <ul aria-label={t('operator.contacts')} className="mt-3 flex flex-col gap-2">
            {contacts.map((contact) => (
              <li key={contact}>
                <a href={contact} className="font-semibold wrap-anywhere underline underline-offset-4">
                  {contact.replace(/^(?:mailto:|tel:|https:\/\/)/, '')}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </AboutSection>
  );
}
