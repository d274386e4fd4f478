/**
 * The address of a visitor. Behind a proxy it is the address that the proxy saw, and never what the visitor wrote into the
 * header; otherwise it is the address of the socket.
 *
 * Used for limits only. An IPv6 network has 2^64 addresses and could use another one for every call, so the whole network
 * counts as one visitor.
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

/** Of a call whose proxies have been looked through already. */
export function visitorOf({ ip }: { ip: string }): string {
  return networkOf(ip);
}

interface Network {
  network: string;
  /** How many times the limit of one visitor it may use. */
  factor: number;
}

/**
 * A visitor's own network and, for IPv6, the larger networks that a single customer may hold: a /56 at home, a /48 in a
 * data centre. Their factors are far below the number of /64 networks they contain, and above the limit of one IPv4
 * address, which may also be shared by many people. The key of a limit may name more after a space, such as a part of a file.
 */
export function networksOf(visitor: string): Network[] {
  const [, a, b, c, d, more = ''] = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)::( .*)?$/.exec(visitor) ?? [];
  const own = { network: visitor, factor: 1 };
  if (d === undefined) return [own];
  const block = (Number.parseInt(d, 16) & 0xff00).toString(16);
  return [
    own,
    { network: `${a}:${b}:${c}:${block}::/56${more}`, factor: 4 },
    { network: `${a}:${b}:${c}::/48${more}`, factor: 16 },
  ];
}

/** For fixed shares of a scarce resource, which have no larger limit for larger networks. */
export function widestNetworkOf(visitor: string): string {
  return networksOf(visitor).at(-1)!.network;
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
  return networkOf(address);
}

/** The first 64 bits of IPv6; an IPv4 address, mapped or not, is a network of its own. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const words = wordsOf(address);
  const [high = 0, low = 0] = words.slice(6);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':')}::`;
}

/** The eight words of an IPv6 address. As the host of a URL it has one form, without IPv4 in its end. */
function wordsOf(address: string): number[] {
  const [bare] = address.split('%');
  const [before = [], after = []] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').map((word) => Number.parseInt(word, 16))));
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
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
