import { ASSISTANT_NAME } from '@dostar/protocol/product';
import { searchFor } from '../../core/next-page.ts';
import { chatPath, paths } from '../../core/paths.ts';
import { useSession } from '../../core/session.ts';
import { useLocalPath } from '../../core/use-locale.ts';

/** To the chat; for whoever has no account yet, by way of one. */
export function useAmadeusPath(): string {
  const local = useLocalPath();
  const chat = chatPath(ASSISTANT_NAME);
  return useSession().status === 'signed-in' ? local(chat) : local(paths.signUp) + searchFor(chat);
}
