/** Strangers write once, the blocked never, and a refusal has its reason (S7). */
import type { Checks } from './checks.ts';
import type { Attempt, Ledger, Message } from './ledger.ts';

export function checkPolicy(ledger: Ledger, checks: Checks): void {
  const byPair = Map.groupBy(ledger.messages.values(), ({ sender, recipient }) => `${sender}/${recipient}`);
  for (const messages of byPair.values()) {
    for (const message of messages) {
      const others = messages.filter((other) => other !== message);
      for (const attempt of message.attempts) checkAttempt({ ledger, checks, message, attempt, others });
    }
  }
}

interface Judged {
  ledger: Ledger;
  checks: Checks;
  message: Message;
  attempt: Attempt;
  /** Of the same sender to the same recipient. */
  others: Message[];
}

function checkAttempt({ ledger, checks, message, attempt, others }: Judged): void {
  const { sender, recipient } = message;
  const states = ledger.contactStates(recipient, sender, attempt.startedAt, attempt.endedAt);
  switch (attempt.outcome) {
    case 'blocked':
      checks.that(
        'a refusal has its reason',
        states.has('blocked'),
        () => `${sender} was never blocked by ${recipient}`,
      );
      return;
    case 'request_pending': {
      const hasOther = others.some((other) => other.attempts.some(({ startedAt }) => startedAt < attempt.endedAt));
      checks.that('a refusal has its reason', states.has('stranger') && hasOther, () => {
        return `${sender} had no request pending with ${recipient}`;
      });
      return;
    }
    case 'answered': {
      // With an earlier attempt it may be a repeat, which is always answered.
      if (message.attempts.some((other) => other !== attempt && other.startedAt < attempt.endedAt)) return;
      const isBlocked = states.size === 1 && states.has('blocked');
      checks.that('the blocked are refused', !isBlocked, () => `${sender} is blocked by ${recipient}`);
      const isStranger = states.size === 1 && states.has('stranger') && !message.erases;
      const hasWritten = others.some((other) => other.attempts.some((a) => a.answer && a.endedAt < attempt.startedAt));
      checks.that('a stranger writes once', !(isStranger && hasWritten), () => `${sender} wrote twice to ${recipient}`);
      return;
    }
    case 'lost':
  }
}
