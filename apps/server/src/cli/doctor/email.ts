import { openSmtp, SmtpFailure } from '../../platform/delivery/smtp.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

export const emailChecks: Check[] = [{ part: 'email', needsSecrets: true, run: checkEmail }];

/** Connects and signs in; sends no email. */
async function checkEmail({ config, secrets }: CheckInput): Promise<Finding[]> {
  if (!secrets) return [];
  const { host } = new URL(secrets.smtpUrl);
  using smtp = openSmtp(secrets.smtpUrl, config.MAIL_FROM);
  try {
    await smtp.verify();
    return [];
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error;
    return [describe(error, host)];
  }
}

function describe({ step, message }: SmtpFailure, host: string): Finding {
  switch (step) {
    case 'EAUTH':
    case 'ENOAUTH':
      return {
        problem: `the mail server ${host} refuses the user and password (${message})`,
        remedy: 'get the right ones from its operator and set them with rotate smtp-url',
      };
    case 'ETLS':
    case 'EREQUIRETLS':
      return {
        problem: `the mail server ${host} offers no usable TLS (${message})`,
        remedy: 'use smtps:// and port 465, or another server; ?requireTLS=false only in your own network',
      };
    case 'EDNS':
      return { problem: `the name of the mail server ${host} does not resolve (DNS)`, remedy: 'correct SMTP_URL' };
    default:
      return {
        problem: `the mail server ${host} does not answer (${message})`,
        remedy: 'correct SMTP_URL; many providers block port 25 and let 465 or 587 through',
      };
  }
}
