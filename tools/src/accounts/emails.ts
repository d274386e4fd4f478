/** Emails that a mail catcher has received. */
export interface ReceivedEmail {
  to: { address: string }[];
  subject: string;
  text: string;
  html: string;
  time: string;
}

/** Emails to one address, oldest first. */
export async function listEmails(webUrl: string, to: string): Promise<ReceivedEmail[]> {
  const emails = (await (await fetch(`${webUrl}/api/email`)).json()) as ReceivedEmail[];
  return emails
    .filter((email) => email.to.some(({ address }) => address === to))
    .toSorted((one, other) => one.time.localeCompare(other.time));
}

/** The six-digit code in an email. */
export function codeIn({ text }: { text: string }): string {
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}
