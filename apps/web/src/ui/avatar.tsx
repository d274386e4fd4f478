import { useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { colourOf, initialsOf } from './avatar-look.ts';
import { cx } from './cx.ts';

interface AvatarProps {
  /** Determines the colour: an account always has the same one. */
  accountId: string;
  name: string;
  picture?: string | undefined;
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
  const [broken, setBroken] = useState<string>();
  const [drawn, setDrawn] = useState<string>();
  return (
    <span className="relative inline-flex shrink-0">
      <span
        role="img"
        aria-label={name}
        className={cx(
          'inline-flex items-center justify-center overflow-hidden rounded-round font-semibold text-on-avatar select-none forced-colors:border',
          sizes[size],
          colourOf(accountId),
        )}
      >
        {picture !== undefined && picture !== broken && (
          <img
            src={picture}
            alt=""
            onLoad={() => setDrawn(picture)}
            onError={() => setBroken(picture)}
            className={cx('size-full object-cover', picture !== drawn && 'hidden')}
          />
        )}
        {(picture === undefined || picture !== drawn) && <span aria-hidden>{initialsOf(name)}</span>}
      </span>
      {isOnline && (
        <span
          role="img"
          data-presence
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
