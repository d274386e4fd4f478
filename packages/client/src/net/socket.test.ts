import { expect, test } from 'vitest';
import { openFrameSocket, type SocketEvents } from './socket.ts';

test('frames that arrive together are received together', async () => {
  const { frameSocket, events } = open();
  events.onOpen();
  events.onText('{"t":"pong","n":1}');
  events.onText('{"t":"pong","n":2}');
  expect(await frameSocket.receive()).toEqual([
    { t: 'pong', n: 1 },
    { t: 'pong', n: 2 },
  ]);
});

test('a frame that breaks the protocol is reported as unreadable', async () => {
  const { frameSocket, events } = open();
  events.onText('{"t":"bye","reason":"bored","afterMs":0}');
  events.onText('{');
  expect(await frameSocket.receive()).toEqual([{ t: 'unreadable' }, { t: 'unreadable' }]);
});

test('frames that arrived before the close are received before it', async () => {
  const { frameSocket, events } = open();
  events.onText('{"t":"pong","n":1}');
  events.onClose();
  expect(await frameSocket.receive()).toHaveLength(1);
  expect(await frameSocket.receive()).toBeUndefined();
});

test('closing ends the wait for a frame at once, whatever the network does', async () => {
  const { frameSocket } = open();
  const waiting = frameSocket.receive();
  frameSocket.close();
  expect(await waiting).toBeUndefined();
  expect(await frameSocket.opened).toBe(false);
});

test('a long catch-up is received in pieces', async () => {
  const { frameSocket, events } = open();
  for (let n = 0; n < 450; n += 1) events.onText(`{"t":"pong","n":${n}}`);
  const sizes = [await frameSocket.receive(), await frameSocket.receive(), await frameSocket.receive()].map(
    (batch) => batch?.length,
  );
  expect(sizes).toEqual([200, 200, 50]);
});

test('the socket is opened on the server it was told, and frames are checked before they leave', () => {
  const { frameSocket, sent, urls } = open();
  frameSocket.send({ t: 'ping', n: 7 });
  expect(urls).toEqual(['wss://server.test/realtime']);
  expect(sent).toEqual(['{"t":"ping","n":7}']);
  expect(() => frameSocket.send({ t: 'ping', n: -1 })).toThrow();
});

function open() {
  const sent: string[] = [];
  const urls: string[] = [];
  const captured: SocketEvents[] = [];
  const frameSocket = openFrameSocket((url, socketEvents) => {
    urls.push(url);
    captured.push(socketEvents);
    return { send: (text) => void sent.push(text), close: () => {} };
  }, 'https://server.test');
  const [events] = captured;
  if (events === undefined) throw new Error('no socket was opened');
  return { frameSocket, events, sent, urls };
}
