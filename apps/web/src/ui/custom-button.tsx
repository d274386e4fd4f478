import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { type ButtonKind, type ButtonSize, buttonClass } from './button-class.ts';
import { cx } from './cx.ts';
import { ProgressRing } from './progress-ring.tsx';

export interface CustomButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** The press is being handled: the button keeps its place and its focus, and ignores further presses. */
  isWaiting?: boolean;
  isWide?: boolean;
  icon?: ReactNode;
}

function refusePress(event: MouseEvent): void {
  event.preventDefault();
}

// The browser's own button: every page has one, and a library's button would be most of the sign-in page's code.
export function CustomButton({
  kind = 'primary',
  size = 'medium',
  isWaiting = false,
  isWide = false,
  icon,
  type = 'button',
  disabled = false,
  onClick,
  children,
  ...rest
}: CustomButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      // A button with `disabled` would lose the focus to the page.
      aria-disabled={isWaiting || undefined}
      aria-busy={isWaiting || undefined}
      onClick={isWaiting ? refusePress : onClick}
      className={buttonClass({ kind, size, isWide })}
    >
      {isWaiting && (
        <span className="absolute">
          <ProgressRing size="small" />
        </span>
      )}
      {/* Hidden but rendered, so that the button keeps its width and its accessible name. */}
      <span className={cx('inline-flex items-center gap-2.5', isWaiting && 'opacity-0')}>
        {icon}
        <span>{children}</span>
      </span>
    </button>
  );
}
