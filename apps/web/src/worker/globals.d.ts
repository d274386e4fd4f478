/** What is put aside when the worker is installed: all that a start without a network needs. */
declare const __PRECACHE__: { url: string; revision: string | null }[];
/** Cached once the worker runs: large, and needed by all writing users. */
declare const __DEFERRED_FILES__: string[];
/** The URL of service-worker-client.ts as a script. */
declare const __CLIENT_SCRIPT__: string;
