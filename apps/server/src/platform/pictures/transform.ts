/** Options of a rendering, and the errors with which the process refuses one. */

export const GRAVITIES = {
  center: 'centre',
  'top-left': 'left top',
  top: 'top',
  'top-right': 'right top',
  left: 'left',
  right: 'right',
  'bottom-left': 'left bottom',
  bottom: 'bottom',
  'bottom-right': 'right bottom',
  auto: 'centre',
} as const;

export const OUTPUTS = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
} as const;

export type Gravity = keyof typeof GRAVITIES;
export type Output = keyof typeof OUTPUTS;

/** Limit of width and height. */
export const MAX_SIDE = 4_000;

export interface PictureTransform {
  /** `icon`: a drawing of our own, the only source that may be SVG. */
  source: 'raster' | 'heic' | 'icon';
  /** If only one is zero it follows from the aspect ratio; if both are zero the size stays. */
  width: number;
  height: number;
  gravity: Gravity;
  /** -1: the encoder's default. */
  quality: number;
  borderWidth: number;
  /** Hex without `#`, as all colours. */
  borderColor: string;
  borderRadius: number;
  opacity: number;
  rotation: number;
  /** Empty keeps transparency. */
  background: string;
  output: Output;
}

/** Exit codes of the drawing process. */
export const FAILURES = { unreadable: 10, 'too-large': 11, 'no-tool': 12 } as const;
export type Failure = keyof typeof FAILURES;

export class PictureError extends Error {
  override name = 'PictureError';
  readonly why: Failure | 'busy';

  constructor(why: Failure | 'busy', options?: ErrorOptions) {
    super(why, options);
    this.why = why;
  }
}
