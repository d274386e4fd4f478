import { useEffect, useState } from 'react';
import { codeOf } from '../../core/lib/failure.ts';
import { readUsername } from '../../core/messenger/username.ts';
import { openProfileClient } from '../../core/messenger/profile-client.ts';

export type Availability = 'same' | 'invalid' | 'checking' | 'free' | 'taken' | 'tooOften' | 'offline';

/** Debounce while the user types. */
const pauseMs = 500;

/** Whether the typed username is free. */
export function useAvailability(typed: string, current: string): Availability {
  const name = readUsername(typed);
  const [answer, setAnswer] = useState<{ name: string; is: Availability }>();

  useEffect(() => {
    if (name === undefined || name === current) return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      const settle = (is: Availability): void => {
        if (!isOver) setAnswer({ name, is });
      };
      openProfileClient()
        .isUsernameFree(name)
        .then((isFree) => settle(isFree ? 'free' : 'taken'))
        .catch((error: unknown) => settle(codeOf(error) === 'rate_limited' ? 'tooOften' : 'offline'));
    }, pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name, current]);

  if (name === current) return 'same';
  if (name === undefined) return 'invalid';
  return answer?.name === name ? answer.is : 'checking';
}
