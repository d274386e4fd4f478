import { Outlet } from 'react-router';
import { contentId, SkipLink } from '../skip-link.tsx';

/** A chat takes the whole window; list and details join it with the chat itself. */
export default function ContactsLayout() {
  return (
    <>
      <SkipLink />
      <main id={contentId} tabIndex={-1} className="ornament min-h-dvh bg-paper outline-none">
        <Outlet />
      </main>
    </>
  );
}
