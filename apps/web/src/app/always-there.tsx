import { UpdateNotice } from './update-notice.tsx';
import { WantedPath } from './wanted-path.tsx';

/** What the service worker has to say to a page. */
export function AlwaysThere() {
  return (
    <>
      <UpdateNotice />
      <WantedPath />
    </>
  );
}
