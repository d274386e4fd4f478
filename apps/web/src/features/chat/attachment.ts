/** A chosen file, and how its sender wants it to go. */
export interface Attachment {
  file: File;
  /** The album's caption stands under its last picture. */
  caption: string | undefined;
  isOriginalSize: boolean;
  /** Of a film: encoded again in 720p. */
  isSmaller: boolean;
  /** Of a film that can't be cleaned: sent as a file, with what is hidden in it. */
  isUnchanged: boolean;
}
