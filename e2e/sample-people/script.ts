/**
 * The people of `./dev up` and of the README's pictures, and their messages. They are fictional. Times are those of the
 * pictures; a development stack sends everything at its start.
 */
export const samplePassword = 'tea with friends';

export interface SamplePerson {
  email: string;
  username: string;
  name: string;
  lastName: string;
  /** A file in `media`. */
  photo?: string;
}

export const samplePeople = {
  alice: {
    email: 'alice@dostar.example',
    username: 'alice',
    name: 'Alice',
    lastName: 'Karimova',
    photo: 'alice.webp',
  },
  bob: { email: 'bob@dostar.example', username: 'bob', name: 'Bob', lastName: 'Wilson', photo: 'bob.webp' },
  aisha: { email: 'aisha@dostar.example', username: 'aisha', name: 'Айша', lastName: 'Кәрімова', photo: 'aisha.webp' },
  timur: { email: 'timur@dostar.example', username: 'timur', name: 'Тимур', lastName: 'Сейтов' },
  dana: { email: 'dana@dostar.example', username: 'dana', name: 'Dana', lastName: 'Kim', photo: 'dana.webp' },
  marat: { email: 'marat@dostar.example', username: 'marat', name: 'Marat', lastName: 'Omarov' },
} satisfies Record<string, SamplePerson>;

export type SampleName = keyof typeof samplePeople;

export type Step = { by: SampleName; at: string } & (
  | { text: string; answers?: string; label?: string }
  | { photo: string; width: number; height: number; caption: string; label?: string }
  | { voice: string; label?: string }
  | { emoji: string; on: string }
  /** Reads all messages so far. */
  | { reads: true }
);

export interface SampleChat {
  between: [SampleName, SampleName];
  steps: Step[];
  /** Sent after all steps of all chats, chat after chat, so that the list of chats always has the same order. */
  last?: Step[];
}

export const sampleChats: SampleChat[] = [
  {
    between: ['timur', 'bob'],
    steps: [
      { by: 'timur', at: '08:30', text: 'Bob, recorded this at the fire last time', label: 'note' },
      { by: 'timur', at: '08:31', voice: 'dombra' },
      { by: 'bob', at: '08:35', text: 'I will play it to Alice!', answers: 'note' },
      { by: 'timur', at: '08:36', emoji: '👍', on: 'note' },
      { by: 'timur', at: '08:36', reads: true },
      { by: 'bob', at: '08:36', reads: true },
    ],
  },
  {
    between: ['dana', 'alice'],
    steps: [
      { by: 'dana', at: '08:12', text: 'The ceramics class starts on the 3rd, I signed us both up 🏺' },
      { by: 'alice', at: '08:20', text: 'You are the best! How much do I owe you?' },
      { by: 'dana', at: '08:21', text: 'A cup. Your first one, however crooked' },
      { by: 'alice', at: '08:22', reads: true },
    ],
    last: [
      { by: 'alice', at: '08:22', text: 'Deal 🤝' },
      { by: 'dana', at: '08:23', reads: true },
    ],
  },
  {
    between: ['timur', 'alice'],
    steps: [
      { by: 'alice', at: '08:40', text: 'Тимур, ты с нами в субботу? Едем к озеру', label: 'question' },
      { by: 'timur', at: '08:55', text: 'Еду! Домбру беру с собой', answers: 'question' },
    ],
    last: [
      { by: 'timur', at: '08:56', text: 'И термос 🫖' },
      { by: 'alice', at: '08:57', reads: true },
    ],
  },
  {
    between: ['aisha', 'alice'],
    steps: [
      { by: 'alice', at: '09:02', text: 'Апа, қалайсыз? Сенбіде тауға шығамыз' },
      { by: 'aisha', at: '09:10', text: 'Жақсымын, айналайын! Жол болсын.', label: 'wish' },
      { by: 'alice', at: '09:11', emoji: '❤️', on: 'wish' },
      { by: 'alice', at: '09:11', reads: true },
      { by: 'aisha', at: '09:12', reads: true },
      { by: 'aisha', at: '09:31', text: 'Жексенбіде келесіңдер ме?' },
      { by: 'aisha', at: '09:31', text: 'Бауырсақ пісіремін 🥟' },
    ],
  },
  {
    between: ['bob', 'alice'],
    steps: [
      { by: 'alice', at: '09:24', text: 'Did you see the forecast for Saturday? 18 degrees and no wind ☀️' },
      { by: 'bob', at: '09:26', text: 'Then we go! The path is open again' },
      {
        by: 'bob',
        at: '09:27',
        photo: 'lake.webp',
        width: 1280,
        height: 800,
        caption: 'This morning from the ridge. The ice is gone!',
        label: 'lake',
      },
      { by: 'alice', at: '09:28', emoji: '🤩', on: 'lake' },
      { by: 'alice', at: '09:29', text: 'What a colour! Timur is coming too, with his dombra', answers: 'lake' },
      { by: 'bob', at: '09:33', voice: 'dombra', label: 'voice' },
      { by: 'alice', at: '09:35', text: 'He plays that at every fire 🤣', answers: 'voice', label: 'fire' },
      { by: 'bob', at: '09:36', emoji: '🤣', on: 'fire' },
      { by: 'bob', at: '09:36', reads: true },
      { by: 'alice', at: '09:36', reads: true },
    ],
    last: [
      { by: 'bob', at: '09:40', text: 'I bring the tent, you bring the tea?' },
      { by: 'bob', at: '09:41', text: 'Seven o’clock at the fountain' },
    ],
  },
];

/** Nickname and pin that Alice sets for some contacts. */
export const aliceKeeps = { aisha: { alias: 'Апам (Grandma)', pinned: true } };

/** A message request that Alice has not answered. */
export const request = {
  by: 'marat',
  to: 'alice',
  at: '08:05',
  text: 'Hi Alice, Marat from the climbing club. Dana says you know the way to the lake?',
} as const satisfies { by: SampleName; to: SampleName; at: string; text: string };
