import { Outlet } from 'react-router';

export default function ContactsLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}
