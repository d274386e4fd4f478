import { Link } from 'react-router';
import { chatPath } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { cx } from '../../ui/cx.ts';

interface PersonLinkProps {
  id: string;
  name: string;
  username: string | undefined;
  text: string;
  isOpen?: boolean;
  onPress?: () => void;
}

/** Row that links to the chat with a user, who may have no messages yet. */
export function PersonLink({ id, name, username, text, isOpen = false, onPress }: PersonLinkProps) {
  const local = useLocalPath();
  return (
    <Link
      to={local(chatPath(username ?? 'no'))}
      onClick={onPress}
      aria-current={isOpen ? 'page' : undefined}
      className={cx(
        'mx-2 flex min-h-18 items-center gap-3 rounded-field px-3 outline-offset-[-2px] transition-colors',
        isOpen ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <Avatar accountId={id} name={name} size="large" />
      <span className="min-w-0 grow">
        <span dir="auto" className="block truncate font-semibold">
          {name}
        </span>
        <span dir="auto" className="block truncate text-muted">
          {text}
        </span>
      </span>
    </Link>
  );
}
