import { Outlet } from 'react-router';

export default function ProfileLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}
