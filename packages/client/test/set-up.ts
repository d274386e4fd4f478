// oxlint-disable-next-line import/no-unassigned-import -- Before the client: Dexie looks at the global object once.
import 'fake-indexeddb/auto';
