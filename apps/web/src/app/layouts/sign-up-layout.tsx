import { Outlet } from 'react-router';

export default function SignUpLayout() {
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}
