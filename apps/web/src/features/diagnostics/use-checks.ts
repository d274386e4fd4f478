import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { type Check, type CheckContext, type Outcome, settle } from './check.ts';

interface Checks {
  results: Record<string, Outcome>;
  /** Undefined while checks run. */
  finishedAt: Date | undefined;
  runAgain: () => void;
  press: (check: Check) => void;
}

export function useChecks(checks: readonly Check[]): Checks {
  const { t } = useTranslation('checks');
  const { tag } = useLocale();
  const isSignedIn = useSession().status === 'signed-in';
  const sample = t('sample');
  // Setting a new object runs the checks again.
  const [round, setRound] = useState({ checks });
  const [results, setResults] = useState<Record<string, Outcome>>({});
  const [finishedAt, setFinishedAt] = useState<Date>();

  const note = useCallback((id: string, outcome: Outcome) => {
    setResults((known) => ({ ...known, [id]: outcome }));
  }, []);

  useEffect(() => {
    let isCurrent = true;
    const place: CheckContext = { tag, isSignedIn, sample };
    async function runAll(): Promise<void> {
      setFinishedAt(undefined);
      // Run in sequence: in parallel they would distort each other's durations.
      for (const check of round.checks) {
        if (!isCurrent) return;
        note(check.id, { state: 'running' });
        const outcome = await settle(() => check.run(place));
        if (isCurrent) note(check.id, outcome);
      }
      if (isCurrent) setFinishedAt(new Date());
    }
    void runAll();
    return () => {
      isCurrent = false;
    };
  }, [note, round, tag, isSignedIn, sample]);

  return {
    results,
    finishedAt,
    runAgain: () => setRound({ checks }),
    press(check) {
      const { press } = check;
      if (!press) return;
      void settle(() => press({ tag, isSignedIn, sample })).then((outcome) => note(check.id, outcome));
    },
  };
}
