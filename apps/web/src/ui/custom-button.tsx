import { Button } from '@base-ui/react/button';
import type { ComponentProps, ReactNode } from 'react';
import { type ButtonKind, type ButtonSize, buttonClass } from './button-class.ts';
import { ProgressRing } from './progress-ring.tsx';

export interface CustomButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** The press is being worked on: the button keeps its place and its focus and takes no second press. */
  isWaiting?: boolean;
  isWide?: boolean;
  icon?: ReactNode;
}

export function CustomButton({
  kind = 'primary',
  size = 'medium',
  isWaiting = false,
  isWide = false,
  icon,
  type = 'button',
  disabled = false,
  children,
  ...rest
}: CustomButtonProps) {
  return (
    <Button
      {...rest}
      type={type}
      disabled={disabled || isWaiting}
      focusableWhenDisabled={isWaiting}
      aria-busy={isWaiting || undefined}
      className={buttonClass({ kind, size, isWide })}
    >
      {isWaiting ? <ProgressRing size="small" /> : icon}
      <span>{children}</span>
    </Button>
  );
}
