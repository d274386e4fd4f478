// Sends the person to Google. Uses plain calls, because the contract's parser is larger than the page with the button.
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { LocaleCode } from '../i18n/locale.ts';

const address = '/api/auth/google/start';

/** Leaves the page, or returns why it could not. */
export async function goToGoogle(
  locale: LocaleCode,
  next: string | undefined,
  invite: string | undefined,
): Promise<'leaving' | 'off' | 'tooOften' | 'unreachable'> {
  try {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { [CALL_HEADER]: ANY_ACCOUNT, 'content-type': 'application/json' },
      body: JSON.stringify({ locale, next, invite }),
    });
    const { url } = (await reply.json()) as { url?: unknown };
    if (reply.status === 404) return 'off';
    if (reply.status === 429) return 'tooOften';
    if (!reply.ok || typeof url !== 'string') return 'unreachable';
    window.location.assign(url);
    return 'leaving';
  } catch {
    return 'unreachable';
  }
}
