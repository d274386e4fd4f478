import { expect, test } from 'vitest';
import { matchesExtension } from './extension-types.ts';
import { detectMimeType } from './detect-mime-type.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

test.each([
  ['photo.PNG', PNG],
  ['photo.jpg', Buffer.from('ffd8ffe0', 'hex')],
  ['IMG_1.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ['film.mov', Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1')],
  ['old.mov', Buffer.from('\0\0\0\x08wide\0\0\0\0mdat', 'latin1')],
  ['song.mp3', Buffer.from('fffb9064', 'hex')],
  ['letter.docx', Buffer.from('PK\x03\x04', 'latin1')],
  ['with-password.docx', OLE],
  ['notes.txt', Buffer.from('words')],
  ['notes.txt', Buffer.from('fffe77006f00', 'hex')],
  ['empty.txt', Buffer.alloc(0)],
  ['page.html', Buffer.from('<html></html>')],
  ['anything.bin', PNG],
  ['anything', PNG],
])('%s may have this content', (name, content) => {
  expect(matchesExtension(name, detectMimeType(content))).toBe(true);
});

test.each([
  ['photo.png', Buffer.from('<html><script>alert(1)</script></html>')],
  ['photo.png', Buffer.from('ffd8ffe0', 'hex')],
  ['photo.png', Buffer.alloc(0)],
  ['photo.jpg', Buffer.from('4d5a90000300', 'hex')],
  ['film.mp4', Buffer.from('PK\x03\x04', 'latin1')],
  ['letter.pdf', PNG],
  ['letter.docx', PNG],
  ['notes.txt', PNG],
  ['drawing.svg', PNG],
])('%s may not have this content', (name, content) => {
  expect(matchesExtension(name, detectMimeType(content))).toBe(false);
});
