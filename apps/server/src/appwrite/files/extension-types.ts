/** Which content a file name's extension promises, for the types that `detectMimeType` detects. */

const UNKNOWN = 'application/octet-stream';
const ZIP = ['application/zip'];
/** With a password they are not ZIP, but a format that is not detected. */
const OFFICE = [...ZIP, UNKNOWN];
const MPEG_4 = ['video/mp4', 'audio/mp4', 'video/quicktime'];
const MATROSKA = ['video/webm', 'video/x-matroska'];
/** The same container holds still and moving pictures of both codecs. */
const HEIF = ['image/heic', 'image/avif'];

const TYPES = new Map<string, readonly string[]>([
  ['png', ['image/png']],
  ['jpg', ['image/jpeg']],
  ['jpeg', ['image/jpeg']],
  ['gif', ['image/gif']],
  ['webp', ['image/webp']],
  ['avif', HEIF],
  ['heic', HEIF],
  ['heif', HEIF],
  ['bmp', ['image/bmp']],
  ['tif', ['image/tiff']],
  ['tiff', ['image/tiff']],
  ['ico', ['image/x-icon', 'image/png']],
  ['pdf', ['application/pdf']],
  ['zip', OFFICE],
  ['docx', OFFICE],
  ['xlsx', OFFICE],
  ['pptx', OFFICE],
  ['odt', ZIP],
  ['ods', ZIP],
  ['odp', ZIP],
  ['epub', ZIP],
  ['jar', ZIP],
  ['apk', ZIP],
  ['gz', ['application/gzip']],
  ['tgz', ['application/gzip']],
  ['zst', ['application/zstd']],
  ['7z', ['application/x-7z-compressed']],
  ['mp4', MPEG_4],
  ['m4v', MPEG_4],
  ['m4a', MPEG_4],
  ['3gp', MPEG_4],
  // QuickTime files from before 2001 do not begin with a type.
  ['mov', [...MPEG_4, UNKNOWN]],
  ['webm', MATROSKA],
  ['mkv', MATROSKA],
  ['mka', MATROSKA],
  ['avi', ['video/x-msvideo']],
  ['wav', ['audio/wav']],
  ['ogg', ['audio/ogg']],
  ['oga', ['audio/ogg']],
  ['ogv', ['audio/ogg']],
  ['opus', ['audio/ogg']],
  // Both may begin with a tag, and MP3 also with anything that players skip.
  ['flac', ['audio/flac', 'audio/mpeg']],
  ['mp3', ['audio/mpeg', UNKNOWN]],
]);

const TEXT = new Set(['txt', 'md', 'csv', 'tsv', 'log', 'json', 'xml', 'svg', 'html', 'htm', 'css', 'js', 'mjs', 'ts']);
/** Text in an encoding other than UTF-8 is not detected. */
const IS_TEXT = /^(?:text\/.+|image\/svg\+xml|application\/(?:octet-stream|x-empty))$/;

export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** True also for an extension that promises nothing that can be detected. */
export function matchesExtension(name: string, mimeType: string): boolean {
  const extension = extensionOf(name);
  if (TEXT.has(extension)) return IS_TEXT.test(mimeType);
  return TYPES.get(extension)?.includes(mimeType) ?? true;
}
