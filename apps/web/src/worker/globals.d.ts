/** The files cached during the worker's installation: everything that a start without a network needs. */
declare const __PRECACHE__: { url: string; revision: string | null }[];
/** The files cached once the worker runs: large files that everyone who writes messages needs. */
declare const __DEFERRED_FILES__: string[];
/** The URL of the script of service-worker-client.ts. */
declare const __CLIENT_SCRIPT__: string;
