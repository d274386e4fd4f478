import type { Locale } from '@dostar/protocol/contract/accounts';

// Held out: Amadeus is examined with these questions, and they are never used to tune its retrieval. They are typed the
// way people type in a chat, mistakes included; some of the Kazakh ones are typed on a Russian keyboard.

export interface Question {
  language: Locale;
  text: string;
  /** The one tutorial that answers the question. */
  topic: 'email' | 'google' | 'contact' | 'message' | 'device' | 'recovery' | 'notifications';
}

export const questions: readonly Question[] = [
  { language: 'en', text: 'how do i sign up i only have a yahoo adress', topic: 'email' },
  { language: 'en', text: 'the 6 numbers never came, waited 5 min already', topic: 'email' },
  { language: 'en', text: 'do u need my mobile number to register', topic: 'email' },
  { language: 'en', text: 'can i just get in with my google login, dont want to fill in forms', topic: 'google' },
  { language: 'en', text: 'what does google tell you about me', topic: 'google' },
  { language: 'en', text: 'how can i find my granddaughter on here', topic: 'contact' },
  { language: 'en', text: 'my friend told me her nickname, where do i put it', topic: 'contact' },
  { language: 'en', text: 'when does my invite expire', topic: 'contact' },
  { language: 'en', text: 'what do the two little check marks mean', topic: 'message' },
  { language: 'en', text: 'how do i send a picture of the cat to my son', topic: 'message' },
  { language: 'en', text: 'no wifi on the train, will my text still go thru later', topic: 'message' },
  { language: 'en', text: 'just bought a new phone how do i get my old chats on it', topic: 'device' },
  { language: 'en', text: 'someone logged in from a laptop thats not mine!! how do i kick them out', topic: 'device' },
  { language: 'en', text: 'can i have an icon for it on my iphone like a normal app', topic: 'device' },
  { language: 'en', text: 'i cant remember my pasword, are all my chats gone', topic: 'recovery' },
  { language: 'en', text: 'where should i keep the paper with the secret words', topic: 'recovery' },
  { language: 'en', text: 'lost the sheet i printed, can you make me another key', topic: 'recovery' },
  { language: 'en', text: 'it doesnt make a sound when somebody writes to me', topic: 'notifications' },
  { language: 'en', text: 'my sisters chat keeps buzzing all night how do i shut it up', topic: 'notifications' },
  { language: 'en', text: 'i clicked block when chrome asked about alerts, how to undo', topic: 'notifications' },

  { language: 'kz', text: 'маған код келмей жатыр, поштамды он рет қарадым', topic: 'email' },
  { language: 'kz', text: 'калай тиркелем, менде тек емейл бар', topic: 'email' },
  { language: 'kz', text: 'гуглмен кірсем бола ма, көп нәрсе толтырғым келмейді', topic: 'google' },
  { language: 'kz', text: 'гугл менің жазғандарымды оқи ала ма', topic: 'google' },
  { language: 'kz', text: 'гуглмен кирдим, енди неге тагы пароль сурап тур', topic: 'google' },
  { language: 'kz', text: 'апамды бұл жерден қалай табам', topic: 'contact' },
  { language: 'kz', text: 'курбымды калай косам, никин билем', topic: 'contact' },
  { language: 'kz', text: 'бөтен адамдар мені іздеп тауып алмай ма', topic: 'contact' },
  { language: 'kz', text: 'екі галочка тұр, бұл не деген сөз', topic: 'message' },
  { language: 'kz', text: 'немереме фото қалай тастаймын', topic: 'message' },
  { language: 'kz', text: 'интернет жоқ кезде жазсам кете ме', topic: 'message' },
  { language: 'kz', text: 'телефонымды ауыстырдым, ескі жазысқандарым қайда', topic: 'device' },
  { language: 'kz', text: 'ноутбуктан да кірсем бола ма', topic: 'device' },
  { language: 'kz', text: 'баска биреу менин акаунтыма кирип алыпты, оны калай шыгарам', topic: 'device' },
  { language: 'kz', text: 'парольді ұмытып қалдым не істеймін', topic: 'recovery' },
  { language: 'kz', text: 'ана кілт сөздерді телефонға суретке түсіріп қойсам бола ма', topic: 'recovery' },
  { language: 'kz', text: 'сөздер жазылған қағазды жоғалтып алдым, жаңасын бересіздер ме', topic: 'recovery' },
  { language: 'kz', text: 'біреу жазса телефоным үндемейді, неге', topic: 'notifications' },
  { language: 'kz', text: 'бір досым түнімен жаза береді, телефоным шырылдамасын десем ше', topic: 'notifications' },
  { language: 'kz', text: 'уведомление келмейди, браузер сураганда байкамай жок деп койыппын', topic: 'notifications' },

  { language: 'ru', text: 'код на почту все еще не пришел, жду полчаса', topic: 'email' },
  { language: 'ru', text: 'как зарегаться без номера телефона', topic: 'email' },
  { language: 'ru', text: 'регистрируюсь а он пишет пароль слабый, какой придумать', topic: 'email' },
  { language: 'ru', text: 'можно через гугл, чтоб не возиться с анкетой', topic: 'google' },
  { language: 'ru', text: 'а гугл мою переписку увидит?', topic: 'google' },
  { language: 'ru', text: 'зашла через гугл, а он ещё пароль какой-то хочет, зачем', topic: 'google' },
  { language: 'ru', text: 'как мне внука тут найти', topic: 'contact' },
  { language: 'ru', text: 'кинула подруге ссылку чтоб добавилась, через сколько она сгорит', topic: 'contact' },
  { language: 'ru', text: 'добавил друга а он пока не принял, могу ему писать?', topic: 'contact' },
  { language: 'ru', text: 'часики висят рядом с тем что я написала, это что', topic: 'message' },
  { language: 'ru', text: 'как отпраить фотку с дачи', topic: 'message' },
  { language: 'ru', text: 'купила другой телефон, переписка не пропадёт?', topic: 'device' },
  { language: 'ru', text: 'пришло письмо что кто то зашел в мой акк, это не я!!!', topic: 'device' },
  { language: 'ru', text: 'где скачать приложение на айфон', topic: 'device' },
  { language: 'ru', text: 'не помню пароль, помогите', topic: 'recovery' },
  { language: 'ru', text: 'я ключ заскринил, так норм?', topic: 'recovery' },
  { language: 'ru', text: 'потерял бумажку со словами, вы можете мне новую дать', topic: 'recovery' },
  { language: 'ru', text: 'почему телефон не пищит когда мне пишут', topic: 'notifications' },
  { language: 'ru', text: 'один чат пиликает каждую минуту, как его заткнуть', topic: 'notifications' },
  {
    language: 'ru',
    text: 'случайно нажал запретить когда сайт спросил про оповещения, как вернуть',
    topic: 'notifications',
  },
];

/** Questions that no tutorial answers, so that Amadeus has to say so. */
export const unanswerable: readonly Omit<Question, 'topic'>[] = [
  { language: 'en', text: 'whats the weather like tomorrow in almaty' },
  { language: 'en', text: 'how do i make a video call' },
  { language: 'en', text: 'how long do i bake an apple pie' },
  { language: 'en', text: 'my whatsapp keeps crashing can you fix it' },
  { language: 'kz', text: 'бауырсақтың қамырын қалай илейді' },
  { language: 'kz', text: 'каспиден калай несие алам' },
  { language: 'kz', text: 'кеше қайрат қалай ойнады' },
  { language: 'ru', text: 'сколько будет 17 умножить на 23' },
  { language: 'ru', text: 'болит горло, что выпить' },
  { language: 'ru', text: 'как удалить страницу в инстаграме' },
];
