import { Outlet } from 'react-router';
import { Frame } from '../frame.tsx';

export default function TestLayout() {
  return (
    <Frame width="column">
      <Outlet />
    </Frame>
  );
}
