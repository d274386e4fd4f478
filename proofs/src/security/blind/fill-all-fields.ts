/** Every private field of a user, each with the word that must not be found. */
export function fillAllFields<Fields extends Record<string, string>>(fields: Fields, canary: string): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, canary])) as Fields;
}
