import { toSmallPhoto } from '../../../core/messenger/small-photo.ts';
import { ArrowLeft, EllipsisVertical, Images, Info, LockKeyhole, Search, ShieldCheck, Timer } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../../core/lib/paths.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { useLocalPath } from '../../../core/i18n/use-locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { iconButtonClass } from '../../../ui/icon-button-class.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuItem } from '../../../ui/menu-items.tsx';
import { useSidePane } from '../details/use-side-pane.ts';

interface ChatHeaderProps {
  accountId: string;
  name: string;
  /** Address of the profile photo. */
  photo: string | undefined;
  /** Typing, else online, else last seen; empty if the contact hides all three. */
  status: string;
  isTyping: boolean;
  isOnline: boolean;
  isVerified: boolean;
  isAssistant: boolean;
  onSearch: () => void;
  onGallery: () => void;
  onTimer: () => void;
}

export function ChatHeader(props: ChatHeaderProps) {
  const { accountId, name, photo, status, isTyping, isOnline, isVerified, isAssistant, onSearch, onGallery, onTimer } =
    props;
  const { t } = useTranslation('chat');
  const { t: tContacts } = useTranslation('contacts');
  const { side, show, close } = useSidePane();
  const local = useLocalPath();
  const search = useRef<HTMLButtonElement>(null);
  const details = useRef<HTMLButtonElement>(null);
  const assistant = t('header.assistant');
  const Lock = isVerified ? ShieldCheck : LockKeyhole;
  const lock = isVerified ? t('header.verified') : t('header.encrypted');

  /** Menu items, including those whose buttons are hidden because the name needs the space. */
  function listItems(): MenuItem[] {
    const all = [
      {
        label: t('search.label'),
        icon: <Search aria-hidden className="size-5" />,
        onSelect: onSearch,
        button: search.current,
      },
      {
        label: tContacts('details.title'),
        icon: <Info aria-hidden className="size-5" />,
        onSelect: () => show('details'),
        button: details.current,
      },
      { label: t('gallery.title'), icon: <Images aria-hidden className="size-5" />, onSelect: onGallery },
      { label: t('timer.title'), icon: <Timer aria-hidden className="size-5" />, onSelect: onTimer },
    ];
    return all.filter(({ button }) => button?.checkVisibility() !== true);
  }

  return (
    <header className="@container flex min-h-15.5 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 pt-[env(safe-area-inset-top)] sm:px-4">
      <Link
        to={local(paths.contacts)}
        aria-label={t('header.back')}
        title={t('header.back')}
        className={`${iconButtonClass} text-accent md:hidden`}
      >
        <ArrowLeft aria-hidden className="size-6" />
      </Link>
      <button
        type="button"
        onClick={() => show('details')}
        className="flex min-w-0 grow items-center gap-3 rounded-field px-1 py-1 text-left outline-offset-[-2px]"
      >
        <Avatar accountId={accountId} name={name} picture={toSmallPhoto(photo)} isOnline={isOnline} />
        <span className="min-w-0">
          <span className="flex items-center gap-1.5">
            <span dir="auto" className="truncate font-semibold">
              {name}
            </span>
            {isAssistant && (
              <span className="max-sm:hidden">
                <Badge kind="accent">{assistant}</Badge>
              </span>
            )}
            <Lock role="img" aria-label={lock} className="size-4 shrink-0 text-accent" />
          </span>
          <span
            aria-live="off"
            className={`block min-h-4.5 truncate text-small ${isTyping ? 'text-accent' : 'text-muted'}`}
          >
            {/* Below the name on a phone, which needs the space beside it. */}
            {isAssistant && <span className="sm:hidden">{status === '' ? assistant : `${assistant} · `}</span>}
            {status}
          </span>
        </span>
      </button>
      {/* Hidden with large text and on the narrowest screens, where the menu offers the same actions. */}
      <span className="@max-[17rem]:hidden">
        <IconButton
          ref={search}
          label={t('search.label')}
          aria-keyshortcuts="Control+Shift+F"
          icon={<Search aria-hidden className="size-5.5" />}
          onClick={onSearch}
        />
      </span>
      <span className="@max-[20.5rem]:hidden">
        <IconButton
          ref={details}
          label={tContacts('details.open', { name })}
          icon={<Info aria-hidden className="size-5.5" />}
          aria-expanded={side !== undefined}
          onClick={() => (side === undefined ? show('details') : close())}
        />
      </span>
      <Menu
        label={t('header.more')}
        icon={<EllipsisVertical aria-hidden className="size-5.5" />}
        listItems={listItems}
      />
    </header>
  );
}
