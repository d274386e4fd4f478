/** Runs the search index in a worker, so that a long history does not freeze the page. */
import { serveSearch } from '@dostar/client/search-proxy';

serveSearch(self);
