/** In the order in which a new user needs them. `shot` names the screenshot that `./dev shots` takes. */
export const topics = [
  {
    id: 'email',
    title: 'topics.email.title',
    steps: ['topics.email.open', 'topics.email.fill', 'topics.email.code', 'topics.email.type', 'topics.email.done'],
    note: 'topics.email.note',
    shot: 'sign-up',
  },
  {
    id: 'google',
    title: 'topics.google.title',
    steps: ['topics.google.press', 'topics.google.choose', 'topics.google.secret', 'topics.google.profile'],
    note: 'topics.google.note',
    shot: 'google-register-success',
  },
  {
    id: 'contact',
    title: 'topics.contact.title',
    steps: ['topics.contact.find', 'topics.contact.name', 'topics.contact.send', 'topics.contact.invite'],
    note: 'topics.contact.note',
    shot: 'search-contacts',
  },
  {
    id: 'message',
    title: 'topics.message.title',
    steps: ['topics.message.open', 'topics.message.write', 'topics.message.press', 'topics.message.ticks'],
    note: 'topics.message.note',
    shot: 'chat',
  },
  {
    id: 'device',
    title: 'topics.device.title',
    steps: ['topics.device.open', 'topics.device.password', 'topics.device.announce', 'topics.device.install'],
    note: 'topics.device.note',
    shot: 'sign-in',
  },
  {
    id: 'recovery',
    title: 'topics.recovery.title',
    steps: ['topics.recovery.open', 'topics.recovery.print', 'topics.recovery.forgot', 'topics.recovery.other'],
    note: 'topics.recovery.note',
    shot: 'recovery',
  },
  {
    id: 'notifications',
    title: 'topics.notifications.title',
    steps: [
      'topics.notifications.allow',
      'topics.notifications.phone',
      'topics.notifications.mute',
      'topics.notifications.blocked',
    ],
    note: 'topics.notifications.note',
    shot: 'settings',
  },
] as const;

export type Topic = (typeof topics)[number];
