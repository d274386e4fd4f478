import { Outlet } from 'react-router';
import { Frame } from '../frame.tsx';

export default function MainLayout() {
  return (
    <Frame width="page">
      <Outlet />
    </Frame>
  );
}
