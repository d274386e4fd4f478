/** JSON objects in this browser's local storage. */
export function readJson(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(name) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function writeJson(name: string, value: object | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A private window without storage: the value is lost with the page.
  }
}
