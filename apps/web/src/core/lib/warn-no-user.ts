/** The exact sentence of the specification, for readers of the console. */
export function warnNoUser(): void {
  // oxlint-disable-next-line no-console -- It is meant for the console.
  console.warn('There no user in globalSettingStore');
}
