/**
 * Sends emails to the operator's mail server.
 *
 * Failures are reported as codes only: a mail server's text contains the address, and sometimes the email.
 */
import { createTransport } from 'nodemailer';
import { isLoopback } from '../security/loopback.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 4;

export interface EmailSender {
  name: string;
  address: string;
}

interface OutgoingEmail {
  /** Becomes the Message-ID, so that an email sent twice is recognised as one. */
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  language: string;
}

export interface Smtp extends Disposable {
  /** Connects, greets, turns TLS on and signs in, and sends nothing. Throws `SmtpFailure`. */
  verify(): Promise<void>;
  send(mail: OutgoingEmail): Promise<void>;
}

export class SmtpFailure extends Error {
  override name = 'SmtpFailure';
  /** The mail server refuses this email to this address for good. */
  readonly isPermanent: boolean;
  /** Where it stopped, in nodemailer's codes. */
  readonly step: string;

  constructor(step: string, reply: number | undefined, isPermanent: boolean) {
    super(reply === undefined ? step : `${step} ${reply}`);
    this.step = step;
    this.isPermanent = isPermanent;
  }
}

interface RejectedEmail {
  code: string;
  responseCode: number;
  /** By the mail server's reply: 5xx, but not one about the order of commands. */
  permanent: boolean;
}

/** Connects when there is something to send. */
export function openSmtp(url: string, from: EmailSender): Smtp {
  const transport = createTransport({
    url: withoutLogging(url),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Emails contain codes and links: a mail server without TLS needs an explicit `?requireTLS=false`.
    requireTLS: !isLoopback(new URL(url).hostname),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.indexOf('@') + 1);

  return {
    async send({ id, to, subject, html, text, language }) {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          messageId: `<${id}@${domain}>`,
          subject,
          html,
          text,
          headers: {
            'Content-Language': language,
            // Suppresses out-of-office replies.
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
          },
        });
      } catch (error) {
        throw describeFailure(error);
      }
    },
    async verify() {
      await transport.verify().catch((error: unknown) => {
        throw describeFailure(error);
      });
    },
    [Symbol.dispose]: () => transport.close(),
  };
}

/** `?debug=true` would print whole emails. */
function withoutLogging(url: string): string {
  const parsed = new URL(url);
  for (const name of ['logger', 'debug', 'transactionLog']) parsed.searchParams.delete(name);
  return parsed.href;
}

function describeFailure(error: unknown): SmtpFailure {
  const { code = 'ESMTP', responseCode, permanent } = error as Partial<RejectedEmail>;
  // A refused login or greeting is the operator's to repair; the email is sent afterwards.
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return new SmtpFailure(code, responseCode, isAboutEmail && permanent === true);
}
