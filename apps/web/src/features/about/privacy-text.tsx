import { useTranslation } from '../../core/i18n/use-translation.ts';
import { AboutSection } from './about-section.tsx';

/** Describes the data that Dostar stores on every server; docs/security/data.md is the long form. */
export function PrivacyText() {
  const { t } = useTranslation('privacy');
  const sections = [
    {
      id: 'reads',
      title: t('reads.title'),
      sentences: [t('reads.account'), t('reads.people'), t('reads.devices'), t('reads.profile')],
    },
    { id: 'sealed', title: t('sealed.title'), sentences: [t('sealed.messages'), t('sealed.password')] },
    { id: 'kept', title: t('kept.title'), sentences: [t('kept.account'), t('kept.sessions'), t('kept.logs')] },
    { id: 'cookies', title: t('cookies.title'), sentences: [t('cookies.text')] },
    {
      id: 'others',
      title: t('others.title'),
      sentences: [t('others.push'), t('others.google'), t('others.analytics'), t('others.amadeus')],
    },
    { id: 'rights', title: t('rights.title'), sentences: [t('rights.text')] },
  ];
  return sections.map(({ id, title, sentences }) => (
    <AboutSection key={id} id={id} title={title}>
      <ul className="mt-3 flex list-disc flex-col gap-2 ps-5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </AboutSection>
  ));
}
