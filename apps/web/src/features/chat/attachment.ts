/** A file to send, with the sender's choices. */
export interface Attachment {
  file: File;
  /** In an album, only the last picture has the caption. */
  caption: string | undefined;
  isOriginalSize: boolean;
  /** Videos only: re-encoded in 720p. */
  isSmaller: boolean;
  /** Only videos whose metadata cannot be removed: sent as a file, metadata included. */
  isUnchanged: boolean;
}
