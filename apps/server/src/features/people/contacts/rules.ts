/**
 * What becomes of one side of an acquaintance, as pure functions over its row.
 *
 *     none ──told: accepts──▶ asked ──decline──▶ declined
 *       │                       │                   │
 *       └───────accept──────────┴──────accept───────┘──▶ accepted ──remove──▶ none
 *
 * `block` leads away from everywhere and only `unblock` leads back, to where it was. Who is blocked, declined or kept out
 * is not told: the other side hears of `accepted` and of its end, nothing else. Who takes no requests keeps nothing of a
 * stranger's; so each side, once it hears of the other for the first time, says again how it stands.
 */
import type { ContactState, Decision } from '@dostar/protocol/contract/contacts';

export interface ContactSide {
  state: ContactState;
  /** What unblocking returns to. */
  beforeBlock: Exclude<ContactState, 'blocked'>;
  /** Whether the other side accepts, as far as this one was told. */
  peerAccepts: boolean;
  /** Own statements so far, and the other's that were heard. */
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
  /** What the other side is to be told now. */
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

/** `takesRequests`: whether strangers may ask at all. */
export function applyStatement(side: ContactSide, said: Statement, takesRequests: boolean): Transition {
  if (said.turn <= side.peerTurn) return { side };
  // Nothing is kept of it, or else strangers who are not heard would fill the mailbox all the same.
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

/** Neither side has said anything yet that counts. */
function isUntouched({ state, turn, peerTurn }: ContactSide): boolean {
  return state === 'none' && turn === 0 && peerTurn === 0;
}

/**
 * The first announcement from the other side: earlier ones may have met an account that keeps nothing of strangers. Without
 * the repeat, an account that adds such a stranger later would wait forever. It gets a new number: under the old one it
 * would be struck off together with the announcement that just failed.
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
