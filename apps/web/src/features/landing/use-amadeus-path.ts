import { ASSISTANT_NAME } from '@dostar/protocol/product';
import { searchFor } from '../../core/session/next-page.ts';
import { chatPath, paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';

/** To the chat; for a visitor, by way of the sign-up. */
export function useAmadeusPath(): string {
  const local = useLocalPath();
  const chat = chatPath(ASSISTANT_NAME);
  return useSession().status === 'signed-in' ? local(chat) : local(paths.signUp) + searchFor(chat);
}
