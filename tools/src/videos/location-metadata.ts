// Metadata that cameras and programs embed in videos, for a test video: the location in every known form, the time of
// the recording, the device. A test searches for `EMBEDDED_METADATA` in the received file.
const LOCATION = '+43.2389+076.9455+850.000/';
const RECORDED_AT = '2019-07-14T05:06:07+0600';
/** Seconds since 1904. */
const RECORDED_SECONDS = 0xd9_50_0b_5f;

/** Parts of the embedded metadata, none of which may be found afterwards. */
export const EMBEDDED_METADATA = [
  '43.2389',
  '43,14.334N',
  '2019-07-14',
  String.fromCodePoint(0xd9, 0x50, 0x0b, 0x5f),
  'com.apple.quicktime',
  'iPhone of Aizhan',
  'Aizhan at home',
  'mebx',
  'xmpmeta',
  'LOCATION',
];

/** For MP4 and QuickTime files without absolute chunk offsets, or with `moov` after the chunks. */
export function embedLocationInMp4(video: Uint8Array): Uint8Array<ArrayBuffer> {
  const boxes = readBoxes(video).map(({ type, content }) =>
    type === 'moov' ? box('moov', setTimes(content), userData, metadata, timedTrack) : box(type, content),
  );
  return join(...boxes, box('uuid', bytes('be7acfcb97a942e89c71999491e3afac'), xmp), box('mdat', text(LOCATION)));
}

/** For WebM whose segment has no stated end, as browsers record it. */
export function embedLocationInWebm(video: Uint8Array): Uint8Array<ArrayBuffer> {
  const tag = (name: string, value: string) =>
    element('67c8', element('45a3', text(name)), element('4487', text(value)));
  const tags = element('7373', element('63c0'), tag('LOCATION', LOCATION), tag('DATE_DIGITIZED', RECORDED_AT));
  const attached = element('61a7', element('466e', text('gps.xml')), element('465c', xmp));
  return join(video, element('1254c367', tags), element('1941a469', attached));
}

const xmp = text('<x:xmpmeta><exif:GPSLatitude>43,14.334N</exif:GPSLatitude></x:xmpmeta>');

const userData = box(
  'udta',
  box('\u00A9xyz', numbers(2, LOCATION.length), numbers(2, 0x15c7), text(LOCATION)),
  box('\u00A9mod', numbers(2, 16), numbers(2, 0x15c7), text('iPhone of Aizhan')),
  box(
    'loci',
    numbers(4, 0),
    numbers(2, 0x15c7),
    text('Aizhan at home\0'),
    numbers(1, 0),
    numbers(12, 0),
    text(`${LOCATION}\0`),
  ),
);

const metadata = box(
  'meta',
  handler('mdta'),
  box(
    'keys',
    numbers(4, 0),
    numbers(4, 2),
    box('mdta', text('com.apple.quicktime.location.ISO6709')),
    box('mdta', text('com.apple.quicktime.creationdate')),
  ),
  box('ilst', item(1, LOCATION), item(2, RECORDED_AT)),
);

/** A track with locations, as phones and action cameras write it. */
const timedTrack = box(
  'trak',
  box('tkhd', numbers(4, 7), numbers(8, 0), numbers(4, 9), numbers(68, 0)),
  box(
    'mdia',
    box('mdhd', numbers(12, 0), numbers(4, 1000), numbers(4, 1000), numbers(4, 0)),
    handler('meta'),
    box(
      'minf',
      box('stbl', box('stsd', numbers(4, 0), numbers(4, 1), box('mebx', numbers(6, 0), numbers(2, 1), text(LOCATION)))),
    ),
  ),
);

function handler(kind: string): Uint8Array {
  return box('hdlr', numbers(8, 0), text(kind), numbers(12, 0), text('Aizhan at home\0'));
}

function item(key: number, value: string): Uint8Array {
  return join(numbers(4, value.length + 24), numbers(4, key), box('data', numbers(4, 1), numbers(4, 0), text(value)));
}

interface Box {
  type: string;
  content: Uint8Array;
}

function readBoxes(from: Uint8Array): Box[] {
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
  const boxes: Box[] = [];
  for (let at = 0; at < from.length;) {
    const size = view.getUint32(at) || from.length - at;
    boxes.push({
      type: String.fromCodePoint(...from.subarray(at + 4, at + 8)),
      content: from.subarray(at + 8, at + size),
    });
    at += size;
  }
  return boxes;
}

/** Sets the times in the headers of the video and of its tracks. */
function setTimes(moov: Uint8Array): Uint8Array {
  return join(
    ...readBoxes(moov).map(({ type, content }) => {
      if (['trak', 'mdia'].includes(type)) return box(type, setTimes(content));
      if (!['mvhd', 'tkhd', 'mdhd'].includes(type)) return box(type, content);
      const time = numbers(content[0] === 1 ? 8 : 4, RECORDED_SECONDS);
      return box(type, content.subarray(0, 4), time, time, content.subarray(4 + 2 * time.length));
    }),
  );
}

function box(type: string, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = join(...parts);
  return join(
    numbers(4, content.length + 8),
    Uint8Array.from(type, (one) => one.codePointAt(0)!),
    content,
  );
}

function element(id: string, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = join(...parts);
  return join(bytes(id), bytes('08'), numbers(4, content.length), content);
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

/** Big-endian integer of this many bytes. */
function numbers(length: number, value: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts));
}
