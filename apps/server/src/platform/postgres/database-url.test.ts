import { expect, test } from 'vitest';
import { withLogin } from './database-url.ts';

const SOCKET = 'postgres://dostar@%2Fvar%2Frun%2Fpostgresql:5433/dostar_directory';

test('a user and a password are put into an address, also into that of a socket', () => {
  expect(withLogin(SOCKET, {})).toBe(SOCKET);
  expect(withLogin(SOCKET, { user: 'dostar-owner' })).toBe(SOCKET.replace('dostar@', 'dostar-owner@'));
  expect(withLogin(SOCKET, { password: 'a/b:c' })).toBe(SOCKET.replace('dostar@', 'dostar:a%2Fb%3Ac@'));
});

test('the password of one user is not tried for another', () => {
  const url = withLogin('postgres://server:secret@db.example/x?sslmode=verify-full', { user: 'owner' });
  expect(url).toBe('postgres://owner@db.example/x?sslmode=verify-full');
});
