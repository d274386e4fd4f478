import { expect, test } from 'vitest';
import { describeName } from './headers.ts';

test.each([
  ['report.pdf', `filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ['a"; filename="b.exe', `filename="a_; filename=_b.exe"; filename*=UTF-8''a_%3B%20filename%3D_b.exe`],
  ['a\r\nset-cookie: x=1', `filename="aset-cookie_ x=1"; filename*=UTF-8''aset-cookie_%20x%3D1`],
  ['photo\u202egpj.exe', `filename="photogpj.exe"; filename*=UTF-8''photogpj.exe`],
  ["Май's (2).txt", `filename="___'s (2).txt"; filename*=UTF-8''%D0%9C%D0%B0%D0%B9%27s%20%282%29.txt`],
  ['../../etc/passwd', `filename="_.._etc_passwd"; filename*=UTF-8''_.._etc_passwd`],
])('a file named %j is sent as %j', (name, header) => {
  expect(describeName(name)).toBe(header);
});
