function settleRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('indexeddb')));
  });
}

export async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = window.indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore('rows'));
  return await settleRequest(request);
}

/** Writes the bytes, closes the connection, and reads them back through a new one. */
export async function writeAndRead(name: string, bytes: Uint8Array): Promise<Uint8Array> {
  const first = await openDatabase(name);
  await settleRequest(first.transaction('rows', 'readwrite').objectStore('rows').put(bytes, 'bytes'));
  first.close();
  const second = await openDatabase(name);
  const back: unknown = await settleRequest(second.transaction('rows').objectStore('rows').get('bytes'));
  second.close();
  await settleRequest(window.indexedDB.deleteDatabase(name));
  if (!(back instanceof Uint8Array)) throw new Error('nothing came back');
  return back;
}
