/** The walking message: two accounts exchange notes, with nothing around them but what keeps the notes safe. */
import { useEffect, useState } from 'react';
import { productName } from '../../product.ts';
import { Composer } from './composer.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { followWalk, type OpenWalk } from './open-walk.ts';
import { Timeline } from './timeline.tsx';

export function meta() {
  return [{ title: `A walking message · ${productName}` }, { name: 'robots', content: 'noindex' }];
}

export default function WalkPage() {
  const [open, setOpen] = useState<OpenWalk | null>();
  useEffect(() => followWalk(setOpen), []);

  return (
    <main className="mx-auto flex h-dvh max-w-2xl flex-col gap-3 p-4">
      <h1 className="text-xl font-semibold">A walking message</h1>
      {open === null && (
        <p>
          This page is opened by a link with a session in it. <code>./dev admin walk</code> prints two.
        </p>
      )}
      {open && (
        <>
          <ConnectionLine client={open.client} />
          <Timeline client={open.client} walk={open.walk} />
          <Composer client={open.client} to={open.walk.peer} />
        </>
      )}
    </main>
  );
}
