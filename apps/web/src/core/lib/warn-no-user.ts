/** Writes the text to the console that the specification prescribes. */
export function warnNoUser(): void {
  // oxlint-disable-next-line no-console -- The specification prescribes it.
  console.warn('There no user in globalSettingStore');
}
