import { index, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('features/landing/landing-page.tsx'),
  route('walk', 'features/walk/walk-page.tsx'),
] satisfies RouteConfig;
