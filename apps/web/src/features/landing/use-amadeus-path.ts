import { ASSISTANT_NAME } from '@dostar/protocol/product';
import { searchFor } from '../../core/session/next-page.ts';
import { chatPath, paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';

/** Path of the assistant's chat; for a visitor, the sign-up page that leads to it. */
export function useAmadeusPath(): string {
  const local = useLocalPath();
  const chat = chatPath(ASSISTANT_NAME);
  return useSession().status === 'signed-in' ? local(chat) : local(paths.signUp) + searchFor(chat);
}
