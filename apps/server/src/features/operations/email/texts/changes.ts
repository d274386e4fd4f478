/** What has changed in an account, in each language. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import { productName } from '@dostar/protocol/product';
import type { AccountChange, AppwriteChange } from '../templates.ts';

interface ChangeText {
  title: string;
  line: string;
}

export const accountChangeTexts: Record<Locale, Record<AccountChange, ChangeText>> = {
  en: {
    'passkey-added': {
      title: 'A passkey was added',
      line: `A passkey was added to your ${productName} account. It can be used to sign in.`,
    },
    'passkey-removed': {
      title: 'A passkey was removed',
      line: `A passkey was removed from your ${productName} account. It can no longer be used to sign in.`,
    },
    'factor-added': {
      title: 'A second step was turned on',
      line: `A second step of two-step verification was turned on for your ${productName} account.`,
    },
    'factor-removed': {
      title: 'A second step was turned off',
      line: `A second step of two-step verification was turned off for your ${productName} account.`,
    },
    'recovery-codes': {
      title: 'You have new backup codes',
      line: `New backup codes were created for your ${productName} account. The earlier ones no longer work.`,
    },
    'google-linked': {
      title: 'A Google account was linked',
      line: `A Google account was linked to your ${productName} account. It can be used to sign in.`,
    },
    username: { title: 'Your username was changed', line: `Your ${productName} account has a new username.` },
  },
  kz: {
    'passkey-added': {
      title: 'Кіру кілті қосылды',
      line: `${productName} аккаунтыңызға кіру кілті қосылды. Енді онымен аккаунтқа кіруге болады.`,
    },
    'passkey-removed': {
      title: 'Кіру кілті жойылды',
      line: `${productName} аккаунтыңыздың кіру кілті жойылды. Енді онымен аккаунтқа кіру мүмкін емес.`,
    },
    'factor-added': {
      title: 'Екі сатылы растаудың бір тәсілі қосылды',
      line: `${productName} аккаунтыңызда екі сатылы растаудың бір тәсілі қосылды.`,
    },
    'factor-removed': {
      title: 'Екі сатылы растаудың бір тәсілі өшірілді',
      line: `${productName} аккаунтыңызда екі сатылы растаудың бір тәсілі өшірілді.`,
    },
    'recovery-codes': {
      title: 'Сізде жаңа резервтік кодтар бар',
      line: `${productName} аккаунтыңызға жаңа резервтік кодтар жасалды. Бұрынғылары енді жұмыс істемейді.`,
    },
    'google-linked': {
      title: 'Google аккаунты байланыстырылды',
      line: `${productName} аккаунтыңызға Google аккаунты байланыстырылды. Енді онымен аккаунтқа кіруге болады.`,
    },
    username: {
      title: 'Пайдаланушы атыңыз өзгерді',
      line: `${productName} аккаунтыңыздың пайдаланушы аты өзгертілді.`,
    },
  },
  ru: {
    'passkey-added': {
      title: 'Добавлен ключ доступа',
      line: `К вашему аккаунту ${productName} добавлен ключ доступа. С ним можно войти.`,
    },
    'passkey-removed': {
      title: 'Удалён ключ доступа',
      line: `Из вашего аккаунта ${productName} удалён ключ доступа. Войти с ним больше нельзя.`,
    },
    'factor-added': {
      title: 'Включён способ двухэтапной проверки',
      line: `В вашем аккаунте ${productName} включён ещё один способ двухэтапной проверки.`,
    },
    'factor-removed': {
      title: 'Отключён способ двухэтапной проверки',
      line: `В вашем аккаунте ${productName} отключён один из способов двухэтапной проверки.`,
    },
    'recovery-codes': {
      title: 'У вас новые резервные коды',
      line: `Для вашего аккаунта ${productName} созданы новые резервные коды. Прежние больше не действуют.`,
    },
    'google-linked': {
      title: 'Привязан аккаунт Google',
      line: `К вашему аккаунту ${productName} привязан аккаунт Google. Через него можно войти.`,
    },
    username: {
      title: 'Имя пользователя изменено',
      line: `У вашего аккаунта ${productName} новое имя пользователя.`,
    },
  },
};

export const appwriteChangeTexts: Record<Locale, Record<AppwriteChange, ChangeText>> = {
  en: {
    email: {
      title: 'The email address of your app account was changed',
      line: 'Your app account has a new email address. We won’t email this one again.',
    },
    password: {
      title: 'The password of your app account was changed',
      line: 'Your app account has a new password. Other devices were signed out.',
    },
    'factors-on': {
      title: 'Two-step verification is on',
      line: 'Two-step verification was turned on for your app account.',
    },
    'factors-off': {
      title: 'Two-step verification is off',
      line: 'Two-step verification was turned off for your app account.',
    },
    'factor-added': {
      title: 'An authenticator app was added',
      line: 'An authenticator app was added to two-step verification of your app account.',
    },
    'factor-removed': {
      title: 'An authenticator app was removed',
      line: 'An authenticator app was removed from two-step verification of your app account.',
    },
    'recovery-codes': {
      title: 'Your app account has new backup codes',
      line: 'New backup codes were created for your app account. Earlier ones no longer work.',
    },
  },
  kz: {
    email: {
      title: 'Қолданбадағы аккаунтыңыздың пошта мекенжайы ауысты',
      line: 'Қолданбадағы аккаунтыңыздың пошта мекенжайы ауыстырылды. Бұл мекенжайға енді хат жібермейміз.',
    },
    password: {
      title: 'Қолданбадағы аккаунтыңыздың құпиясөзі ауысты',
      line: 'Қолданбадағы аккаунтыңыздың құпиясөзі ауыстырылды. Басқа құрылғылар аккаунттан шығарылды.',
    },
    'factors-on': {
      title: 'Екі сатылы растау қосылды',
      line: 'Қолданбадағы аккаунтыңызда екі сатылы растау қосылды.',
    },
    'factors-off': {
      title: 'Екі сатылы растау өшірілді',
      line: 'Қолданбадағы аккаунтыңызда екі сатылы растау өшірілді.',
    },
    'factor-added': {
      title: 'Аутентификатор қолданбасы қосылды',
      line: 'Қолданбадағы аккаунтыңыздың екі сатылы растауына аутентификатор қолданбасы қосылды.',
    },
    'factor-removed': {
      title: 'Аутентификатор қолданбасы жойылды',
      line: 'Қолданбадағы аккаунтыңыздың екі сатылы растауынан аутентификатор қолданбасы жойылды.',
    },
    'recovery-codes': {
      title: 'Қолданбадағы аккаунтыңызда жаңа резервтік кодтар бар',
      line: 'Қолданбадағы аккаунтыңызға жаңа резервтік кодтар жасалды. Бұрынғылары енді жұмыс істемейді.',
    },
  },
  ru: {
    email: {
      title: 'Адрес почты вашего аккаунта в приложении изменён',
      line: 'У вашего аккаунта в приложении новый адрес почты. На этот адрес мы больше писать не будем.',
    },
    password: {
      title: 'Пароль вашего аккаунта в приложении изменён',
      line: 'У вашего аккаунта в приложении новый пароль. На других устройствах нужно войти заново.',
    },
    'factors-on': {
      title: 'Двухэтапная проверка включена',
      line: 'В вашем аккаунте в приложении включена двухэтапная проверка.',
    },
    'factors-off': {
      title: 'Двухэтапная проверка отключена',
      line: 'В вашем аккаунте в приложении отключена двухэтапная проверка.',
    },
    'factor-added': {
      title: 'Добавлено приложение-аутентификатор',
      line: 'К двухэтапной проверке вашего аккаунта добавлено приложение-аутентификатор.',
    },
    'factor-removed': {
      title: 'Удалено приложение-аутентификатор',
      line: 'Из двухэтапной проверки вашего аккаунта удалено приложение-аутентификатор.',
    },
    'recovery-codes': {
      title: 'У вашего аккаунта в приложении новые резервные коды',
      line: 'Для вашего аккаунта в приложении созданы новые резервные коды. Прежние больше не действуют.',
    },
  },
};
