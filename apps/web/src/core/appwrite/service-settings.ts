/** Where the hosted-service surface is, as the build was told. */
export interface ServiceSettings {
  endpoint: string;
  project: string;
}

type Told = Partial<Record<'VITE_SERVICE_ENDPOINT' | 'VITE_SERVICE_PROJECT', string>>;

/** Undefined, and said so in the console, where one of the two was not configured: there is no client then. */
export function readServiceSettings(told: Told = import.meta.env): ServiceSettings | undefined {
  const { VITE_SERVICE_ENDPOINT: endpoint = '', VITE_SERVICE_PROJECT: project = '' } = told;
  if (endpoint === '' || project === '') {
    // oxlint-disable-next-line no-console -- The sentence of the specification, for readers of the console.
    console.warn('[Appwrite] Missing endpoint or project ID');
    return undefined;
  }
  return { endpoint: new URL(endpoint, location.origin).href, project };
}
