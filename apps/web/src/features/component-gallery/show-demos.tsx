import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatPercent } from '../../core/i18n/format-number.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListRow } from '../../ui/list-row.tsx';
import { StrengthIndicator } from '../../ui/strength-indicator.tsx';
import { Demo, DemoGroup, DemoRow } from './demo.tsx';

const strength = 72;

function ListDemo() {
  const { t } = useTranslation('components');
  const { t: tUi } = useTranslation('ui');
  const [selected, setSelected] = useState('grandma');
  return (
    <div className="-mx-2">
      <ListRow
        leading={<Avatar accountId="a" name={t('demo.grandma')} isOnline size="large" />}
        title={t('demo.grandma')}
        meta="14:32"
        text={t('demo.message')}
        trailing={
          <Badge kind="sun" label={tUi('unread', { count: 2 })}>
            2
          </Badge>
        }
        isSelected={selected === 'grandma'}
        onPress={() => setSelected('grandma')}
      />
      <ListRow
        leading={<Avatar accountId="c" name={t('demo.friend')} size="large" />}
        title={t('demo.friend')}
        meta={t('demo.yesterday')}
        text={t('demo.agreed')}
        isSelected={selected === 'friend'}
        onPress={() => setSelected('friend')}
      />
    </div>
  );
}

export function ShowDemos() {
  const { t } = useTranslation('components');
  const { code } = useLocale();
  return (
    <DemoGroup title={t('groups.show')}>
      <Demo name="avatar" text={t('parts.avatar')}>
        <DemoRow>
          <Avatar accountId="c" name={t('demo.friend')} size="small" />
          <Avatar accountId="a" name={t('demo.grandma')} isOnline />
          <Avatar accountId="e" name={t('demo.cousin')} size="large" isOnline />
          <Avatar accountId="b" name={t('demo.friend')} picture="/favicon.svg" size="large" />
          <Avatar accountId="h" name={t('demo.cousin')} size="huge" isOnline />
        </DemoRow>
      </Demo>
      <Demo name="badge" text={t('parts.badge')}>
        <DemoRow>
          <Badge kind="sun">{t('demo.new')}</Badge>
          <Badge>14</Badge>
          <Badge kind="accent">{t('demo.contacts')}</Badge>
          <Badge kind="ok">{t('demo.verified')}</Badge>
          <Badge kind="danger">{t('demo.failed')}</Badge>
        </DemoRow>
      </Demo>
      <Demo name="list-row" text={t('parts.listRow')}>
        <ListDemo />
      </Demo>
      <Demo name="strength-indicator" text={t('parts.strengthIndicator')}>
        <StrengthIndicator
          value={strength}
          label={t('demo.strength')}
          text={formatPercent(code, strength)}
          hint={t('demo.addPhoto')}
        />
        <StrengthIndicator value={100} label={t('demo.strength')} text={formatPercent(code, 100)} />
      </Demo>
      <Demo name="banner" text={t('parts.banner')}>
        <Banner kind="info">{t('demo.bannerInfo')}</Banner>
        <Banner kind="success">{t('demo.bannerSuccess')}</Banner>
        <Banner kind="error">{t('demo.bannerError')}</Banner>
      </Demo>
      <Demo name="empty-state" text={t('parts.emptyState')}>
        <EmptyState
          heading="h4"
          picture={<MessagesSquare aria-hidden className="size-12" />}
          title={t('demo.emptyTitle')}
          text={t('demo.emptyText')}
          action={<CustomButton>{t('demo.search')}</CustomButton>}
        />
      </Demo>
    </DemoGroup>
  );
}
