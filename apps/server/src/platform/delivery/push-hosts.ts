/** Which hosts push services have, and which of them the operator allows (`PUSH_HOSTS`). */

type PushVendor = 'apple' | 'google' | 'mozilla' | 'windows';

const VENDOR_DOMAINS: Record<PushVendor, string> = {
  apple: '.push.apple.com',
  google: '.googleapis.com',
  mozilla: '.push.services.mozilla.com',
  windows: '.notify.windows.com',
};

/** Microsoft's hosts differ by region. */
const SAMPLE_HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'] as const;

/** Where a connection can be tried: the hosts that the operator names, and for `*.host` the vendor's best known one. */
export function listSampleHosts(hosts: readonly string[]): string[] {
  const named = hosts.filter((host) => !host.startsWith('*.'));
  const allowed = SAMPLE_HOSTS.filter((host) => isAllowedEndpoint(`https://${host}/`, hosts));
  return [...new Set([...named, ...allowed])];
}

/** For logs: an endpoint's own host may be the operator's. */
export function vendorOf(hostname: string): PushVendor | 'other' {
  const vendors = Object.entries(VENDOR_DOMAINS) as [PushVendor, string][];
  return vendors.find(([, domain]) => hostname.endsWith(domain))?.[0] ?? 'other';
}

/** `hosts`: each a `host`, `*.host`, or an https origin. */
export function isAllowedEndpoint(endpoint: string, hosts: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (!url || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return hosts.some((host) => {
    if (host.startsWith('https://')) return url.origin === host;
    if (url.port !== '') return false;
    return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  });
}
