/** Fills every private field of a user with a text that contains the canary. */
export function fillAllFields<Fields extends Record<string, string>>(fields: Fields, canary: string): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, canary])) as Fields;
}
