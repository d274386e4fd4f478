/** Two clients play a chat of the script, each step after the other client has read the previous one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Message } from '@dostar/client';
import { isOpened, until } from '@dostar/client/testing/device';
import type { Target } from '@dostar/protocol/content/kinds';
import { type ChatId, directChat } from '@dostar/protocol/ids';
import type { People, Person } from './person.ts';
import type { SampleChat, Step } from './script.ts';

/** More messages than any chat of the script has. */
const WHOLE = 1_000;
const mediaFolder = join(import.meta.dirname, 'media');

/** Whether a step is a message and not a reaction or receipt. */
export function isShown(step: Step): boolean {
  return 'text' in step || 'photo' in step || 'voice' in step;
}

export interface SentMessage extends Target {
  /** Time of day in the script. */
  at: string;
}

/** `before`: messages that the chat already has. */
export async function playChat(
  people: People,
  { between, steps }: SampleChat,
  before: SentMessage[] = [],
): Promise<SentMessage[]> {
  const labels = new Map<string, Target>();
  const sent = [...before];
  for (const step of steps) {
    const [one, other] = between;
    const from = people[step.by];
    const to = people[step.by === one ? other : one];
    const chat = directChat(from.account.id, to.account.id);
    await perform(step, from, to, labels);
    if (!isShown(step)) continue;
    const all = await untilDecrypted(to.client, chat, sent.length + 1);
    const { sender, id } = all.at(-1)!;
    sent.push({ sender, id, at: step.at });
    if ('label' in step && step.label !== undefined) labels.set(step.label, { sender, id });
  }
  return sent;
}

/** Waits until the chat has `count` messages and all are decrypted. */
export function untilDecrypted(client: Client, chat: ChatId, count: number): Promise<Message[]> {
  return until(client.live.timeline(chat, WHOLE), (all) => all.length === count && all.every(isOpened));
}

async function perform(step: Step, from: Person, { account, client }: Person, labels: Map<string, Target>) {
  const to = account.id;
  const chat = directChat(from.account.id, to);
  if ('text' in step) {
    const replyTo = step.answers === undefined ? undefined : find(labels, step.answers);
    await from.client.sendText({ to, text: step.text, ...(replyTo && { replyTo }) });
  } else if ('emoji' in step) {
    const target = find(labels, step.on);
    await from.client.react({ to, target, emoji: step.emoji });
    await until(
      client.live.message(target),
      (message) => message?.reactions.some(({ emoji }) => emoji === step.emoji) ?? false,
    );
  } else if ('photo' in step) {
    const { photo, width, height, caption } = step;
    const media = { name: photo, width, height };
    await upload(from.client, photo, { to, content: { kind: 'media', media, caption } });
  } else if ('voice' in step) {
    const about = JSON.parse(await readFile(join(mediaFolder, `${step.voice}.json`), 'utf8')) as VoiceDescription;
    await upload(from.client, `${step.voice}.webm`, { to, content: { kind: 'voice', voice: about } });
  } else {
    const all = await until(from.client.live.timeline(chat, WHOLE), isStored);
    await from.client.markRead(chat, all.at(-1)!.seq!);
    await until(client.live.timeline(chat, WHOLE), (seen) => wasRead(seen, to));
  }
}

/** The description that `draw-media.ts` writes beside a recording. */
interface VoiceDescription {
  durationMs: number;
  waveform: number[];
}

async function upload(
  client: Client,
  file: string,
  message: NonNullable<Parameters<Client['attachments']['upload']>[0]['message']>,
): Promise<void> {
  const bytes = await readFile(join(mediaFolder, file));
  const type = file.endsWith('.webm') ? 'audio/webm;codecs=opus' : 'image/webp';
  await client.attachments.upload({ source: new Blob([new Uint8Array(bytes)]), type, message });
}

function isStored(all: Message[]): boolean {
  return all.every(({ seq }) => seq !== undefined);
}

/** Whether the other side has read all messages of this account. */
function wasRead(all: Message[], author: string): boolean {
  return all.every(({ sender, status }) => sender !== author || status === 'read');
}

function find(labels: Map<string, Target>, label: string): Target {
  const target = labels.get(label);
  if (target === undefined) throw new Error(`no message is labelled ${label}`);
  return target;
}
