import { index, type RouteConfig } from '@react-router/dev/routes';

export default [index('features/landing/landing-page.tsx')] satisfies RouteConfig;
