const NAMED = /\.(?:mp4|m4v|mov|qt|webm|mkv|avi|3gp|3g2|mts|m2ts|wmv|flv|mpe?g|ogv)$/i;

/** By its type; by its name where the browser knows no type. A TypeScript file is claimed to be MPEG-2 by some systems. */
export function isVideoFile({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  if (type === 'video/mp2t' && /\.ts$/i.test(name)) return false;
  return type.startsWith('video/') || (type === '' && NAMED.test(name));
}
