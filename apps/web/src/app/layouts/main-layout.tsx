import { Outlet } from 'react-router';

export default function MainLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}
