/** What worker and pages say to each other. */

/** To a page: what is the newest of this chat, once entry `at` is here? Answered through the port with words or nothing. */
export interface SayQuestion {
  t: 'say';
  chat: string;
  at: number;
}

/** To a page: show this address. */
export interface OpenWish {
  t: 'open';
  path: string;
}

/** To a page that is being looked at: this came while it was. */
export interface PushNews {
  t: 'pushed';
  push: object;
}

export type WorkerMessage = SayQuestion | OpenWish | PushNews;

/** What a notice keeps for the moment it is pressed. */
export interface NoticeData {
  chat: string;
  at: number;
  peer?: string;
  username?: string;
}
