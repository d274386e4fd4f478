/** Apart from profiles: who lists people needs it, and no more of them. */
import { z } from 'zod';

/** Opened by pages, as the source of a picture: no header can be sent, so the token of the address says for whom. */
export const PICTURE_PATH = '/api/profile/picture';

/**
 * Where a picture is, for one viewer: a page shows it without asking. What names it is sealed (SPEC H3), the same for a
 * week, and good only while the owner shows the picture to that viewer. With `&small` behind it the picture is as small as
 * a list shows it: AVIF, WebP or JPEG, as the browser says it accepts.
 */
export const PictureUrl = z
  .string()
  .max(600)
  .regex(/^\/api\/profile\/picture\?token=[\w-]+$/);
export type PictureUrl = z.infer<typeof PictureUrl>;
