export function DebugPanel() {
  return null;
}
