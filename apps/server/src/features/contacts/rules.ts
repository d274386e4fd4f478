/**
 * What becomes of one side of an acquaintance, as pure functions over its row.
 *
 *     none ──told: accepts──▶ asked ──decline──▶ declined
 *       │                       │                   │
 *       └───────accept──────────┴──────accept───────┘──▶ accepted ──remove──▶ none
 *
 * `block` leads away from everywhere and only `unblock` leads back, to where it was. Who is blocked, declined or kept out
 * is not told: the other side hears of `accepted` and of its end, nothing else.
 */
import type { ContactState, Decision } from '@dostar/protocol/contract/contacts';

export interface Side {
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
  /** The one who hears it has used an invite, and so agreed beforehand. */
  isInvited: boolean;
}

export interface Outcome {
  side: Side;
  /** What the other side is to be told now. */
  says?: Statement;
}

export const STRANGER: Side = { state: 'none', beforeBlock: 'none', peerAccepts: false, turn: 0, peerTurn: 0 };

export function decide(side: Side, decision: Decision): Outcome {
  switch (decision) {
    case 'accept':
      // Adding somebody never unblocks them: a request repeated late would undo a block.
      return side.state === 'blocked' || side.state === 'accepted' ? { side } : say(side, 'accepted', false);
    case 'decline':
      return side.state === 'asked' ? { side: { ...side, state: 'declined' } } : { side };
    case 'remove':
      if (side.state === 'asked') return { side: { ...side, state: 'declined' } };
      return side.state === 'accepted' ? say(side, 'none', false) : { side };
    case 'block':
      return side.state === 'blocked' ? { side } : { side: { ...side, state: 'blocked', beforeBlock: side.state } };
    case 'unblock':
      return side.state === 'blocked' ? { side: { ...side, state: side.beforeBlock } } : { side };
  }
}

/** The other has used this side's invite. Answers nothing for somebody who is blocked. */
export function admit(side: Side): Outcome | undefined {
  if (side.state === 'blocked') return undefined;
  return say(side, 'accepted', true);
}

/** `takesRequests`: whether strangers may ask at all. */
export function hear(side: Side, said: Statement, takesRequests: boolean): Outcome {
  if (said.turn <= side.peerTurn) return { side };
  const heard = { ...side, peerTurn: said.turn, peerAccepts: said.accepts };
  if (said.accepts && said.isInvited) {
    const isSettled = heard.state === 'blocked' || heard.state === 'accepted';
    return isSettled ? { side: heard } : say(heard, 'accepted', false);
  }
  if (said.accepts) return { side: heard.state === 'none' && takesRequests ? { ...heard, state: 'asked' } : heard };
  return { side: { ...heard, state: withdraw(heard.state), beforeBlock: withdraw(heard.beforeBlock) } };
}

function say(side: Side, state: 'accepted' | 'none', isInvited: boolean): Outcome {
  const turn = side.turn + 1;
  return { side: { ...side, state, turn }, says: { turn, accepts: state === 'accepted', isInvited } };
}

function withdraw<State extends ContactState>(state: State): State | 'none' {
  return state === 'asked' ? 'none' : state;
}
