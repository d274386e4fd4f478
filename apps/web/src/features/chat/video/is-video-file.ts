const NAMED = /\.(?:mp4|m4v|mov|qt|webm|mkv|avi|3gp|3g2|mts|m2ts|wmv|flv|mpe?g|ogv)$/i;

/** Decides by the type, or by the name if there is none. Some systems report TypeScript files as `video/mp2t`. */
export function isVideoFile({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  if (type === 'video/mp2t' && /\.ts$/i.test(name)) return false;
  return type.startsWith('video/') || (type === '' && NAMED.test(name));
}
