/**
 * How decisions and statements change one side of a contact, as pure functions over its row.
 *
 *     none ──told: accepts──▶ asked ──decline──▶ declined
 *       │                       │                   │
 *       └───────accept──────────┴──────accept───────┘──▶ accepted ──remove──▶ none
 *
 * `block` leads away from every state and only `unblock` leads back, to the state before. A side states only `accepted` and
 * its end: the other side never learns that it was blocked, declined or ignored. A side that takes no requests stores
 * nothing of a stranger's statement; so each side repeats its own state when it first hears of the other.
 */
import type { ContactState, Decision } from '@dostar/protocol/contract/contacts';

export interface ContactSide {
  state: ContactState;
  /** What unblocking returns to. */
  beforeBlock: Exclude<ContactState, 'blocked'>;
  /** Whether the other side accepts, by its last statement. */
  peerAccepts: boolean;
  /** The number of the last own statement, and of the other side's last one that was applied. */
  turn: number;
  peerTurn: number;
}

export interface Statement {
  turn: number;
  accepts: boolean;
  /** The recipient has used an invite, and so agreed beforehand. */
  isInvited: boolean;
}

export interface Transition {
  side: ContactSide;
  /** The statement to deliver to the other side. */
  says?: Statement;
}

export const STRANGER: ContactSide = { state: 'none', beforeBlock: 'none', peerAccepts: false, turn: 0, peerTurn: 0 };

export function decide(side: ContactSide, decision: Decision): Transition {
  switch (decision) {
    case 'accept':
      // Adding a contact never unblocks them: a late repeat of the request would undo a block.
      return side.state === 'blocked' || side.state === 'accepted' ? { side } : announce(side, 'accepted', false);
    case 'decline':
      return side.state === 'asked' ? { side: { ...side, state: 'declined' } } : { side };
    case 'remove':
      if (side.state === 'asked') return { side: { ...side, state: 'declined' } };
      return side.state === 'accepted' ? announce(side, 'none', false) : { side };
    case 'block':
      return side.state === 'blocked' ? { side } : { side: { ...side, state: 'blocked', beforeBlock: side.state } };
    case 'unblock':
      return side.state === 'blocked' ? { side: { ...side, state: side.beforeBlock } } : { side };
  }
}

/** The other account has used this side's invite. Returns nothing if this side does not let it in. */
export function admit(side: ContactSide, isFirstUse: boolean): Transition | undefined {
  // A second use changes nothing, so a contact removed since can't come back by the same invite.
  if (!isFirstUse) return side.state === 'accepted' ? { side } : undefined;
  if (side.state === 'blocked') return undefined;
  return announce(side, 'accepted', true);
}

/** `takesRequests`: whether strangers may send requests. */
export function applyStatement(side: ContactSide, said: Statement, takesRequests: boolean): Transition {
  if (said.turn <= side.peerTurn) return { side };
  // Stores nothing, or ignored strangers would fill the mailbox all the same.
  if (!takesRequests && !said.isInvited && isUntouched(side)) return { side };
  const heard = { ...side, peerTurn: said.turn, peerAccepts: said.accepts };
  if (said.accepts && said.isInvited) {
    const isSettled = heard.state === 'blocked' || heard.state === 'accepted';
    return isSettled ? announceAgain(side, heard) : announce(heard, 'accepted', false);
  }
  if (said.accepts) {
    return announceAgain(side, heard.state === 'none' && takesRequests ? { ...heard, state: 'asked' } : heard);
  }
  return announceAgain(side, { ...heard, state: withdraw(heard.state), beforeBlock: withdraw(heard.beforeBlock) });
}

/** Neither side has made a statement yet. */
function isUntouched({ state, turn, peerTurn }: ContactSide): boolean {
  return state === 'none' && turn === 0 && peerTurn === 0;
}

/**
 * Repeats the own statement after the other side's first one: earlier ones may have met an account that stored nothing of
 * strangers. Without the repeat, an account that adds such a stranger later would wait forever. The repeat gets a new number:
 * under the old one it would be deleted together with the statement that was ignored.
 */
function announceAgain(before: ContactSide, side: ContactSide): Transition {
  if (before.peerTurn > 0 || before.turn === 0) return { side };
  const turn = side.turn + 1;
  const accepts = side.state === 'accepted' || (side.state === 'blocked' && side.beforeBlock === 'accepted');
  return { side: { ...side, turn }, says: { turn, accepts, isInvited: false } };
}

function announce(side: ContactSide, state: 'accepted' | 'none', isInvited: boolean): Transition {
  const turn = side.turn + 1;
  return { side: { ...side, state, turn }, says: { turn, accepts: state === 'accepted', isInvited } };
}

function withdraw<State extends ContactState>(state: State): State | 'none' {
  return state === 'asked' ? 'none' : state;
}
