/** Fictional people and their messages, for pictures of the app in use. */
import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { SeededMessage } from './seed-chat.ts';

interface SampleChat {
  name: string;
  username: string;
  unread?: number;
  isPinned?: boolean;
  /** Lines of the contact begin with `<`, lines of the owner with `>`. */
  lines: string[];
}

const sampleChats: Record<string, SampleChat[]> = {
  en: [
    {
      name: 'Grandma Aisha',
      username: 'grandma-aisha',
      isPinned: true,
      lines: [
        '<Good morning, my dear! Did you get home all right?',
        '>Good morning, Grandma! Yes, just before the rain.',
        '<Thank God. I have baked baursak, the whole house smells of it.',
        '>Save some for us! We are coming on Saturday, all four of us',
        '<Already put aside. The little ones will want jam with it.',
        '>They talk of nothing else 😄',
        '<Then I will make the apricot one. Drive carefully!',
        '>We will. See you on Saturday ❤️',
      ],
    },
    {
      name: 'Timur',
      username: 'timur-a',
      unread: 2,
      lines: ['<The tickets are bought', '<Sunday at six, bring a warm jacket'],
    },
    { name: 'Mum', username: 'saule-mum', unread: 1, lines: ['<Call me when you are free, nothing urgent'] },
    {
      name: 'Dana, 3rd floor',
      username: 'dana-k',
      lines: ['<Your parcel is with me', '>Thank you, I will come by at seven'],
    },
    { name: 'Class of 2009: Olga', username: 'olga-2009', lines: ['>Who is bringing the guitar?', '<I am, of course'] },
    {
      name: 'Uncle Marat',
      username: 'marat-uncle',
      lines: ['>Happy birthday! Health and long life', '<Thank you, nephew!'],
    },
  ],
  kz: [
    {
      name: 'Айша әже',
      username: 'aisha-azhe',
      isPinned: true,
      lines: [
        '<Қайырлы таң, айналайын! Үйге аман жеттіңдер ме?',
        '>Қайырлы таң, әже! Иә, жаңбырға дейін жетіп үлгердік.',
        '<Шүкір. Бауырсақ пісірдім, үй іші хош иіске толды.',
        '>Бізге де қалдырыңызшы! Сенбіде төртеуміз түгел барамыз',
        '<Бөлек алып қойдым. Балаларға тосап та керек болар.',
        '>Күні бойы соны айтып жүр 😄',
        '<Онда өрік тосабын қайнатамын. Жолда абай болыңдар!',
        '>Жарайды, әже. Сенбіде көріскенше!',
      ],
    },
    {
      name: 'Тимур',
      username: 'timur-a',
      unread: 2,
      lines: ['<Билет алып қойдым', '<Жексенбі, сағат алтыда. Жылы киін'],
    },
    { name: 'Анам', username: 'saule-mum', unread: 1, lines: ['<Босаған кезде хабарласшы, асығыс емес'] },
    { name: 'Дана, 3-қабат', username: 'dana-k', lines: ['<Сәлемдемең менде тұр', '>Рақмет, жетіде кіріп шығамын'] },
    { name: 'Сыныптас Ольга', username: 'olga-2009', lines: ['>Гитараны кім әкеледі?', '<Әрине, мен'] },
    {
      name: 'Марат көке',
      username: 'marat-uncle',
      lines: ['>Туған күніңізбен! Ұзақ ғұмыр тілеймін', '<Рақмет, інім!'],
    },
  ],
  ru: [
    {
      name: 'Бабушка Айша',
      username: 'aisha-babushka',
      isPinned: true,
      lines: [
        '<Доброе утро, родная! Хорошо доехали?',
        '>Доброе утро, бабушка! Да, успели до дождя.',
        '<Слава богу. Я баурсаки испекла, на весь дом пахнет.',
        '>Оставь нам! Приедем в субботу, все четверо',
        '<Уже отложила. Малышам ещё варенья захочется.',
        '>Они только об этом и говорят 😄',
        '<Тогда сварю абрикосовое. Езжайте осторожно!',
        '>Обязательно. До субботы ❤️',
      ],
    },
    {
      name: 'Тимур',
      username: 'timur-a',
      unread: 2,
      lines: ['<Билеты купил', '<В воскресенье в шесть, оденься теплее'],
    },
    { name: 'Мама', username: 'saule-mum', unread: 1, lines: ['<Позвони, как освободишься, ничего срочного'] },
    { name: 'Дана, 3-й этаж', username: 'dana-k', lines: ['<Твоя посылка у меня', '>Спасибо, зайду в семь'] },
    { name: 'Одноклассница Ольга', username: 'olga-2009', lines: ['>Кто принесёт гитару?', '<Конечно, я'] },
    {
      name: 'Дядя Марат',
      username: 'marat-uncle',
      lines: ['>С днём рождения! Здоровья и долгих лет', '<Спасибо, племянник!'],
    },
  ],
};

/** Rows for the local database. `opened` is the username of the chat that has several messages. */
export function chatsOf(code: string, own: string) {
  // Always the morning, whenever the pictures are taken.
  const now = new Date().setHours(9, 41, 0, 0);
  const messages: SeededMessage[] = [];
  const all = (sampleChats[code] ?? []).map(({ name, username, unread, isPinned = false, lines }, index) => {
    const peer = toId(9, index) as AccountId;
    const chat = directChat(own as AccountId, peer);
    const rows = lines.map((line, place): SeededMessage => {
      const pos = 1_000_000 - index * 100 + place;
      const at = now - index * 47 * 60_000 - (lines.length - place) * 90_000;
      const sender = line.startsWith('<') ? peer : own;
      return { id: toId(7, pos), chat, sender, text: line.slice(1), pos, at };
    });
    messages.push(...rows);
    return { name, username, unread, isPinned, peer, chat, last: rows.at(-1)! };
  });
  return {
    opened: all[0]!.username,
    chats: {
      messages,
      chats: all.map(({ chat, peer, last, unread, isPinned }) => ({
        chat,
        peer,
        pos: last.pos,
        last: [last.sender, last.id],
        ...(unread !== undefined && { unread }),
        ...(isPinned && { pinned: 1 }),
      })),
      users: all.map(({ peer, username, name }) => ({
        account: peer,
        at: Date.now(),
        user: { id: peer, username, name, publicKey: null },
      })),
      registers: all.map(({ peer, isPinned }) => ({ key: `contact/${peer}`, rev: 1, value: recordOf(isPinned) })),
    },
  } satisfies { opened: string; chats: { chats: { chat: ChatId; peer: string }[] } & Record<string, unknown> };
}

function recordOf(pinned: boolean): string {
  const record = {
    state: 'accepted',
    peerAccepts: true,
    ...DEFAULT_SERVER_PREFERENCES,
    pinned,
    since: 0,
  };
  return Buffer.from(JSON.stringify(record)).toString('base64url');
}

function toId(version: number, number: number): string {
  return `0000000${version}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}
