/** The search index of a long history, beside the page. */
import { serveSearch } from '@dostar/client/search-proxy';

serveSearch(self);
