import { useEffect, useState } from 'react';
import { CustomButton, type CustomButtonProps } from './custom-button.tsx';

interface WaitButtonProps extends Omit<CustomButtonProps, 'children'> {
  /** The time from which it may be pressed again. */
  notBefore: number;
  label: string;
  waitLabel: (seconds: number) => string;
}

/** A button that counts down to the time from which it may be pressed. */
export function WaitButton({ notBefore, label, waitLabel, ...rest }: WaitButtonProps) {
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((notBefore - now) / 1000));

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <CustomButton kind="secondary" {...rest} disabled={seconds > 0}>
      {seconds > 0 ? waitLabel(seconds) : label}
    </CustomButton>
  );
}
