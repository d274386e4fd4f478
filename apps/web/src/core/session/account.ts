/** The signed-in account. */
export interface Account {
  id: string;
  username: string | undefined;
  name: string | undefined;
}
