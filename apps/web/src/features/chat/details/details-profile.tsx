import type { Client } from '@dostar/client';
import type { Projection } from '@dostar/protocol/contract/profile';
import type { AccountId } from '@dostar/protocol/ids';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';

await requestTexts('person');

/** Profile of the peer, as far as they share it; renders nothing if they share nothing. */
export function DetailsProfile({ client, peer }: { client: Client; peer: AccountId }) {
  const { t } = useTranslation('person');
  const [shown, setShown] = useState<Projection | 'failed'>();

  useEffect(() => {
    let isOver = false;
    client.contacts
      .readProfile(peer)
      .then((projection) => !isOver && setShown(projection))
      .catch(() => !isOver && setShown('failed'));
    return () => {
      isOver = true;
    };
  }, [client, peer]);

  if (shown === undefined) return null;
  if (shown === 'failed') return <p className="px-5 py-3 text-small text-muted">{t('failed')}</p>;
  const { personal, contact, education, skills, work } = shown;
  const phones = [personal?.phoneNumber ?? '', ...(contact?.phones ?? [])].filter((phone) => phone !== '');
  return (
    <div className="flex flex-col gap-4 border-t border-line px-5 py-4 empty:hidden">
      <Lines title={t('phones')}>
        {phones.map((phone) => (
          <Away key={phone} to={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} text={phone} />
        ))}
      </Lines>
      <Lines title={t('email')}>{contact?.email && <Away to={`mailto:${contact.email}`} text={contact.email} />}</Lines>
      <Lines title={t('links')}>
        {contact?.links.map((link) => (
          <Away key={link} to={link} text={link} />
        ))}
      </Lines>
      <Lines title={t('messengers')}>
        {contact?.messengers.map(({ service, name }) => (
          <span key={`${service} ${name}`}>{`${service}: ${name}`}</span>
        ))}
      </Lines>
      <Lines title={t('address')}>{personal?.address}</Lines>
      <Lines title={t('education')}>
        {education?.entries.map((entry, index) => (
          <Entry key={index} title={entry.school} lines={[entry.degree, entry.field, spanOf(entry)]} />
        ))}
      </Lines>
      <Lines title={t('skills')}>
        {skills?.entries.map(({ name, level }, index) => (
          <Entry key={index} title={name} lines={[t(`levels.${level}`)]} />
        ))}
      </Lines>
      <Lines title={t('work')}>
        {work?.entries.map((entry, index) => (
          <Entry key={index} title={entry.company} lines={[entry.position, spanOf(entry), entry.description]} />
        ))}
      </Lines>
    </div>
  );
}

function spanOf({ from, to }: { from: string; to: string }): string {
  return from === '' && to === '' ? '' : `${from}–${to}`;
}

function Lines({ title, children }: { title: string; children: ReactNode }) {
  const isEmpty = Array.isArray(children) ? children.length === 0 : !children;
  if (isEmpty) return null;
  return (
    <section>
      <h4 className="text-small text-muted">{title}</h4>
      <div dir="auto" className="mt-0.5 flex flex-col wrap-anywhere">
        {children}
      </div>
    </section>
  );
}

/** External link in a new tab; `noreferrer` hides this page from the other site. */
function Away({ to, text }: { to: string; text: string }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-8 items-center text-accent hover:underline"
    >
      {text}
    </a>
  );
}

function Entry({ title, lines }: { title: string; lines: string[] }) {
  const rest = lines.filter((line) => line !== '').join(' · ');
  return (
    <p className="py-0.5">
      {title}
      {rest !== '' && <span className="block text-small text-muted">{rest}</span>}
    </p>
  );
}
