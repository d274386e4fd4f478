/** Strangers write once, the blocked never, and a refusal has its reason (S7). */
import type { Checks } from './checks.ts';
import type { Attempt, Ledger, Message } from './ledger.ts';

export function checkPolicy(ledger: Ledger, checks: Checks): void {
  for (const message of ledger.messages.values()) {
    for (const attempt of message.attempts) checkAttempt(ledger, checks, message, attempt);
  }
}

function checkAttempt(ledger: Ledger, checks: Checks, message: Message, attempt: Attempt): void {
  const { sender, recipient } = message;
  const states = ledger.contactStates(recipient, sender, attempt.startedAt, attempt.endedAt);
  const others = [...ledger.messages.values()].filter((other) => {
    return other !== message && other.sender === sender && other.recipient === recipient;
  });
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
