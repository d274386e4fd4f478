import { Outlet } from 'react-router';

export default function DocumentationLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}
