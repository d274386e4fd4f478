import { expect, test } from 'vitest';
import { toSafeFileName } from './file-name.ts';

test.each([
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['\u2066invoice\u2069.pdf\u200f', 'invoice.pdf'],
  ['a\u0000b\r\nc.txt', 'abc.txt'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Windows\\a.dll', 'C__Windows_a.dll'],
  ['setup.exe. ', 'setup.exe'],
  ['.bashrc', 'bashrc'],
  ['con.txt', '_con.txt'],
  ['\u202e', 'file'],
])('the name %j is saved as %j', (name, safe) => {
  expect(toSafeFileName(name)).toBe(safe);
});

test.each(['Отчёт за май.pdf', 'Қазақша құжат.docx', 'صورة.jpg', 'family (2).jpg', 'a👩‍👩‍👧.png'])(
  'the name %j stays as it is',
  (name) => {
    expect(toSafeFileName(name)).toBe(name.normalize('NFC'));
  },
);
