/** The address of the Appwrite-compatible API, from the build's environment. */
export interface ServiceSettings {
  endpoint: string;
  project: string;
}

type Told = Partial<Record<'VITE_SERVICE_ENDPOINT' | 'VITE_SERVICE_PROJECT', string>>;

/** Undefined, with a warning in the console, if either variable is missing: then there is no service client. */
export function readServiceSettings(told: Told = import.meta.env): ServiceSettings | undefined {
  const { VITE_SERVICE_ENDPOINT: endpoint = '', VITE_SERVICE_PROJECT: project = '' } = told;
  if (endpoint === '' || project === '') {
    // oxlint-disable-next-line no-console -- The specification prescribes this text in the console.
    console.warn('[Appwrite] Missing endpoint or project ID');
    return undefined;
  }
  return { endpoint: new URL(endpoint, location.origin).href, project };
}
