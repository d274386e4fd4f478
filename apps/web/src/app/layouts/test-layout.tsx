import { Outlet } from 'react-router';

export default function TestLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}
