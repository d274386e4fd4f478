/** Each secret of `secrets.ts`, and how it is replaced. */
import { z } from 'zod';
import { checkSecret } from '../secrets.ts';
import type { SecretName } from '../secrets.ts';
import { createVapidKey } from '../platform/delivery/web-push.ts';
import { define } from './command.ts';
import { beginKey, createKey, finishKey, useKey } from './rotate-key.ts';
import { beginSetup, finishSetup, useSetup } from './rotate-setup.ts';
import { replaceSecretFile, requireSecretFile } from './secret-file.ts';

const KeyId = z.string().regex(/^[\da-f]{8}$/);
const Steps = z.union([
  z.tuple([z.literal('begin')]),
  z.tuple([z.literal('use'), KeyId]),
  z.tuple([z.literal('finish'), KeyId]),
  z.tuple([z.literal('finish'), KeyId, z.literal('now')]),
]);
const NEXT_STEP = 'copy it to every machine and restart every process';

/** Issued by others; the operator pipes in the new one. */
const REPLACED_FROM_INPUT = {
  'smtp-url': 'SMTP_URL',
  'text-message-url': 'TEXT_MESSAGE_URL',
  'google-client-secret': 'GOOGLE_CLIENT_SECRET',
  'fcm-credentials': 'FCM_CREDENTIALS',
  's3-credentials': 'S3_CREDENTIALS',
  'nats-credentials': 'NATS_CREDENTIALS',
} as const satisfies Record<string, SecretName>;

export const rotateCommands = [
  define({
    usage: 'rotate secret-key STEP',
    help: 'replace SECRET_KEY; STEP is begin, use KEY, or finish KEY [now]',
    args: Steps,
    audit: 'words',
    async run(ctx, args, { env }) {
      const path = requireSecretFile(env, 'SECRET_KEY');
      if (args[0] === 'begin') return beginKey(path, 'secret-key', createKey());
      if (args[0] === 'use') return useKey(path, args[1]);
      return finishKey(ctx, path, args[1], args[2] === 'now');
    },
  }),
  define({
    usage: 'rotate vapid-key',
    help: 'replace VAPID_KEY; a browser gets no push until the app is opened in it once',
    args: z.tuple([]),
    audit: 'words',
    async run(_ctx, _args, { env }) {
      const path = requireSecretFile(env, 'VAPID_KEY');
      await replaceSecretFile(path, createVapidKey());
      return `${path} is replaced: ${NEXT_STEP}; each browser subscribes again when the app is opened in it`;
    },
  }),
  define({
    usage: 'rotate opaque-setup STEP',
    help: 'replace OPAQUE_SETUP, which passwords need; STEP is begin, use KEY, or finish KEY [now]',
    args: Steps,
    audit: 'words',
    async run(ctx, args, { env }) {
      const path = requireSecretFile(env, 'OPAQUE_SETUP');
      if (args[0] === 'begin') return beginSetup(path);
      if (args[0] === 'use') return useSetup(path, args[1]);
      return finishSetup(ctx, path, args[1], args[2] === 'now');
    },
  }),
  ...Object.entries(REPLACED_FROM_INPUT).map(([word, name]) =>
    define({
      usage: `rotate ${word}`,
      help: `replace ${name} with standard input: rotate ${word} < FILE`,
      args: z.tuple([]),
      audit: 'words',
      async run(_ctx, _args, { env, readInput }) {
        const path = requireSecretFile(env, name);
        const secret = (await readInput()).trim();
        checkSecret(name, secret);
        await replaceSecretFile(path, secret);
        return `${path} is replaced: ${NEXT_STEP}`;
      },
    }),
  ),
];
