import { Avatar as Base } from '@base-ui/react/avatar';
import { useTranslation } from 'react-i18next';
import { colourOf, initialsOf } from './avatar-look.ts';
import { cx } from './cx.ts';

interface AvatarProps {
  /** Chooses the colour; the same account is the same colour everywhere and for ever. */
  accountId: string;
  name: string;
  picture?: string;
  isOnline?: boolean;
  size?: 'small' | 'medium' | 'large' | 'huge';
}

const sizes = {
  small: 'size-9 text-small',
  medium: 'size-11 text-field',
  large: 'size-13 text-subtitle',
  huge: 'size-24 text-headline',
};

export function Avatar({ accountId, name, picture, isOnline = false, size = 'medium' }: AvatarProps) {
  const { t } = useTranslation('ui');
  return (
    <span className="relative inline-flex shrink-0">
      <Base.Root
        role="img"
        aria-label={name}
        className={cx(
          'inline-flex items-center justify-center overflow-hidden rounded-round font-semibold text-on-avatar select-none',
          sizes[size],
          colourOf(accountId),
        )}
      >
        {picture !== undefined && <Base.Image src={picture} alt="" className="size-full object-cover" />}
        <Base.Fallback aria-hidden>{initialsOf(name)}</Base.Fallback>
      </Base.Root>
      {isOnline && (
        <span
          role="img"
          aria-label={t('presence.online')}
          className={cx(
            'absolute rounded-round border-2 border-surface bg-presence',
            size === 'huge' ? 'right-1 bottom-1 size-5' : '-right-0.5 -bottom-0.5 size-3.5',
          )}
        />
      )}
    </span>
  );
}
