/** In its own file, because lists of users need it without the rest of profiles. */
import { z } from 'zod';

/** The `src` of an image. A browser sends no custom header with it, so the token in the URL identifies the viewer. */
export const PICTURE_PATH = '/api/profile/picture';

/**
 * The URL of a picture for one viewer. Its token is encrypted (SPEC H3), stays the same for a week, and is valid only
 * while the owner shows the picture to that viewer. `&small` returns a thumbnail for lists in AVIF, WebP or JPEG,
 * depending on the browser's `Accept` header.
 */
export const PictureUrl = z
  .string()
  .max(600)
  .regex(/^\/api\/profile\/picture\?token=[\w-]+$/);
export type PictureUrl = z.infer<typeof PictureUrl>;
