/** A stranger can send one message, a blocked user none, and every refusal has its reason (S7). */
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

interface PolicyAttempt {
  ledger: Ledger;
  checks: Checks;
  message: Message;
  attempt: Attempt;
  /** Other messages of the same sender to the same recipient. */
  others: Message[];
}

function checkAttempt({ ledger, checks, message, attempt, others }: PolicyAttempt): void {
  const { sender, recipient } = message;
  const states = ledger.contactStates(recipient, sender, attempt.startedAt, attempt.endedAt);
  switch (attempt.outcome) {
    case 'blocked':
      checks.that(
        'every refusal has its reason',
        states.has('blocked'),
        () => `${sender} was never blocked by ${recipient}`,
      );
      return;
    case 'request_pending': {
      const hasReason = message.erases
        ? !others.some((other) => isTarget(message, other) && wasAnsweredBefore(other, attempt))
        : others.some((other) => mayPrecede(other, attempt));
      checks.that('every refusal has its reason', states.has('stranger') && hasReason, () => {
        return `${sender} had no request pending with ${recipient}, or erased what lay there`;
      });
      return;
    }
    case 'answered': {
      // After an earlier attempt this one may be a repeat, which is always answered.
      if (message.attempts.some((other) => other !== attempt && other.startedAt < attempt.endedAt)) return;
      const isBlocked = states.size === 1 && states.has('blocked');
      checks.that('a blocked sender is refused', !isBlocked, () => `${sender} is blocked by ${recipient}`);
      if (states.size > 1 || !states.has('stranger')) return;
      if (message.erases) {
        const hasTarget = others.some((other) => isTarget(message, other) && mayPrecede(other, attempt));
        checks.that(
          'a stranger erases only entries that exist',
          hasTarget,
          () => `${sender} erased nothing of ${recipient}'s`,
        );
        return;
      }
      const hasWritten = others.some((other) => wasAnsweredBefore(other, attempt));
      checks.that('a stranger writes once', !hasWritten, () => `${sender} wrote twice to ${recipient}`);
      return;
    }
    case 'lost':
  }
}

function isTarget({ erases }: Message, { sender, id }: Message): boolean {
  return sender === erases?.sender && id === erases.id;
}

function wasAnsweredBefore({ attempts }: Message, { startedAt }: Attempt): boolean {
  return attempts.some((other) => other.answer && other.endedAt < startedAt);
}

function mayPrecede({ attempts }: Message, { endedAt }: Attempt): boolean {
  return attempts.some((other) => other.startedAt < endedAt);
}
