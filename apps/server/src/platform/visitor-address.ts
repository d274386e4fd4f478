/**
 * Who calls, when a proxy stands in front: the address it saw itself, and nothing that a visitor wrote into the header.
 * A socket from anywhere else says who it is by its own address.
 */
import { BlockList, isIP } from 'node:net';

export type IsProxy = (address: string) => boolean;

const WORDS: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** `loopback`, `private`, an address or a network such as `10.1.0.0/16`. */
export function isProxyName(name: string): boolean {
  return name in WORDS || parseNetwork(name) !== undefined;
}

export function openProxies(names: string[]): IsProxy {
  const networks = new BlockList();
  for (const name of names.flatMap((each) => WORDS[each] ?? [each])) {
    const network = parseNetwork(name);
    if (network !== undefined) networks.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    const family = familyOf(plain);
    return family !== undefined && networks.check(plain, family);
  };
}

/** Back along the chain of proxies, to the first address that is none. */
export function readVisitor(remote: string, forwarded: string | string[] | undefined, isProxy: IsProxy): string {
  const said = String(forwarded ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  let address = remote;
  while (isProxy(address)) {
    const before = said.pop();
    if (before === undefined) break;
    address = before;
  }
  return address;
}

function parseNetwork(text: string) {
  const [address = '', bits, ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined;
  const most = family === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  return length <= most ? { address, bits: length, family } : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}

/** A socket for both families names IPv4 as `::ffff:…`. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
