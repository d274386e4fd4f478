/** Who is signed in. */
export interface Account {
  id: string;
  username: string | undefined;
  name: string | undefined;
}
