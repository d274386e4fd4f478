/** A file of its own, because lists of users need it without the rest of profiles. */
import { z } from 'zod';

/** The `src` of an image: a browser sends no header with it, so the token in the URL names the viewer. */
export const PICTURE_PATH = '/api/profile/picture';

/**
 * The URL of a picture, for one viewer. Its token is encrypted (SPEC H3), the same for a week, and valid only while the
 * owner shows the picture to that viewer. `&small` returns a thumbnail for lists: AVIF, WebP or JPEG, as the browser
 * accepts.
 */
export const PictureUrl = z
  .string()
  .max(600)
  .regex(/^\/api\/profile\/picture\?token=[\w-]+$/);
export type PictureUrl = z.infer<typeof PictureUrl>;
