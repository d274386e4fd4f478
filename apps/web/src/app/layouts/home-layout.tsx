import { Outlet } from 'react-router';
import { Frame } from '../frame.tsx';

export default function HomeLayout() {
  return (
    <Frame width="wide">
      <Outlet />
    </Frame>
  );
}
