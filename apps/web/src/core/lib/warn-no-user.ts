/** The sentence of the specification, letter for letter, for whoever looks into the console. */
export function warnNoUser(): void {
  // oxlint-disable-next-line no-console -- It is meant for the console.
  console.warn('There no user in globalSettingStore');
}
