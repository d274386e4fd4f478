/** The emails that exist. Texts are in texts/, the layout is in draw-email.ts. */
import { Locale } from '@dostar/protocol/contract/accounts';
import { z } from 'zod';
import type { JobKind } from '../../../platform/bus/jobs.ts';

const Code = z.string().regex(/^\d{6}$/);
/** How long the code or link is valid. An email that could not be sent within that time is dropped. */
const Minutes = z.int().min(1).max(10_080);
/** A path on our own site, with the token after `#`, so that no server logs it. The language is added in front. */
const Path = z
  .string()
  .max(500)
  .regex(/^\/[\w\-/#.=?&~]*$/);
/** A page of an app that uses `/v1`. */
const Link = z.url({ protocol: /^https?$/ }).max(2500);
const Moment = z.int().nonnegative();
/** The browser and system, such as "Firefox, Windows". */
const Device = z.string().max(200);
const TimeZone = z.string().refine(isTimeZone).optional();

/** Changes of an account that its owner gets an email about. */
export const AccountChange = z.enum([
  'passkey-added',
  'passkey-removed',
  'factor-added',
  'factor-removed',
  'recovery-codes',
  'google-linked',
  'username',
]);
export type AccountChange = z.infer<typeof AccountChange>;

/** The same for an account of `/v1`. */
export const AppwriteChange = z.enum([
  'email',
  'password',
  'factors-on',
  'factors-off',
  'factor-added',
  'factor-removed',
  'recovery-codes',
]);
export type AppwriteChange = z.infer<typeof AppwriteChange>;

/** The facts of each template. */
const TemplateData = {
  code: z.object({ code: Code, minutes: Minutes }),
  'sign-in-code': z.object({ code: Code, minutes: Minutes }),
  'reauthentication-code': z.object({ code: Code, minutes: Minutes }),
  'already-here': z.object({}),
  'verify-address': z.object({ path: Path, minutes: Minutes }),
  recovery: z.object({ path: Path, minutes: Minutes }),
  'sign-in-notice': z.object({ device: Device, at: Moment, timeZone: TimeZone }),
  'email-change-old': z.object({ path: Path, minutes: Minutes, newAddress: z.email() }),
  'email-change-new': z.object({ path: Path, minutes: Minutes }),
  'password-changed': z.object({ at: Moment, timeZone: TimeZone }),
  'account-deleted': z.object({}),
  'use-google': z.object({}),
  'recovery-key': z.object({ at: Moment, timeZone: TimeZone }),
  'account-locked': z.object({ at: Moment, timeZone: TimeZone }),
  'fresh-start': z.object({ at: Moment, timeZone: TimeZone }),
  'email-changed': z.object({ newAddress: z.email() }),
  'account-changed': z.object({ change: AccountChange, at: Moment, timeZone: TimeZone }),
  'service-changed': z.object({ change: AppwriteChange, at: Moment, timeZone: TimeZone }),
  'wrong-passwords': z.object({ at: Moment, timeZone: TimeZone }),
  'wrong-codes': z.object({ at: Moment, timeZone: TimeZone }),
  'service-wrong-passwords': z.object({ at: Moment, timeZone: TimeZone }),
  'service-wrong-codes': z.object({ at: Moment, timeZone: TimeZone }),
  'service-sign-in': z.object({ device: Device, at: Moment, timeZone: TimeZone }),
  'service-verification': z.object({ link: Link, minutes: Minutes }),
  'service-recovery': z.object({ link: Link, minutes: Minutes }),
} as const;

export type Template = keyof typeof TemplateData;
export type TemplateDataOf<T extends Template> = z.infer<(typeof TemplateData)[T]>;

export const templates = Object.keys(TemplateData) as Template[];

/** A union over the templates, so that each has its own data. */
export type EmailMessage = {
  [T in Template]: { template: T; to: string; locale: Locale; data: TemplateDataOf<T> };
}[Template];

const Envelope = z.object({ to: z.email().max(254), locale: Locale, askedAt: Moment });

const [first, ...others] = templates.map((template) =>
  Envelope.extend({ template: z.literal(template), data: TemplateData[template] }),
);

/** A queued email, with the time of the request. */
export type EmailJob = EmailMessage & { askedAt: number };

export const emailJob: JobKind<EmailJob> = {
  name: 'mail',
  payload: z.preprocess(
    renameTemplate,
    z.discriminatedUnion('template', [first!, ...others]),
  ) as unknown as z.ZodType<EmailJob>,
};

/** A job that 0.1 queued is read after the upgrade. Until 0.3. */
function renameTemplate(job: unknown): unknown {
  const isFormer = typeof job === 'object' && job !== null && 'template' in job && job.template === 'proof-code';
  return isFormer ? { ...job, template: 'reauthentication-code' } : job;
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
