import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { requestedPath } from '../core/pwa/handle-worker-messages.ts';
import { useStore } from '../core/lib/store.ts';

/** Opens the chat of a pressed notification in this page, without a reload. */
export function NotificationNavigation() {
  const path = useStore(requestedPath, undefined);
  const navigate = useNavigate();

  useEffect(() => {
    if (path === undefined) return;
    requestedPath.write(undefined);
    if (path !== window.location.pathname) void navigate(path);
  }, [path, navigate]);

  return null;
}
