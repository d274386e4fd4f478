import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { chatPath } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Avatar } from '../../ui/avatar.tsx';

interface PersonRowProps {
  id: string;
  name: string;
  username: string | undefined;
  /** Contact status, or the text of a message. */
  text?: string;
  /** Action buttons; they wrap below the name if there is no space beside it. */
  children: ReactNode;
}

/** A user with action buttons. The name links to the chat. */
export function PersonRow({ id, name, username, text, children }: PersonRowProps) {
  const local = useLocalPath();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Link
        to={local(chatPath(username ?? 'no'))}
        className="flex min-w-44 grow basis-0 items-center gap-3 rounded-field outline-offset-2"
      >
        <Avatar accountId={id} name={name} />
        <span className="min-w-0">
          <span dir="auto" className="block truncate font-semibold">
            {name}
          </span>
          {text !== undefined && (
            <span dir="auto" className="line-clamp-2 text-small text-muted">
              {text}
            </span>
          )}
        </span>
      </Link>
      <div className="ml-auto flex shrink-0 flex-wrap items-center justify-end gap-2">{children}</div>
    </div>
  );
}
