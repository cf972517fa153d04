import ipaddr from 'ipaddr.js';

const globalUnicastIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The platform behind every virtual machine of Azure, which only these reach. Source:
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const azurePlatform = '168.63.129.16';

/**
 * Whether an IP address belongs to the public internet. Only plain unicast passes: no loopback, private, link-local,
 * shared, documentation, multicast, mapped, translated or tunnelled address. IPv6 outside 2000::/3 is never public, which
 * also covers the deprecated forms that hold an IPv4 address (`::127.0.0.1`). Source: the IANA special-purpose registries.
 * Azure's platform has an address of the public kind and is refused too.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === azurePlatform) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicastIpv6);
};

/** Whether an IP address is this very machine's, in 127.0.0.0/8 or `::1`. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';

/** The host of an address without the brackets of IPv6 and without the dot of a fully qualified name. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();

const isLocalHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);

/** Whether an address is a plain one of this very machine, which only some deployments reach. */
export const isLocalUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && isLocalHost(bareHost(hostname));

const innerDomains = ['.local', '.internal', '.home.arpa'];

/** A name whose every label holds something; resolvers differ in what they make of `example..com`. */
const isWholeName = (host: string): boolean => host.split('.').every((label) => label !== '');

const isInnerHost = (host: string): boolean =>
  ipaddr.isValid(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || !isWholeName(host) || innerDomains.some((domain) => host.endsWith(domain));

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const spacesAndSlashes = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]/u;

/** What stands between the two slashes and the path. */
const authorityOf = (text: string): string | undefined => /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1];

const namesUser = (text: string): boolean => authorityOf(text)?.includes('@') === true;

/** What is wrong with how an address is spelled: parsers of URLs would read it differently, or not at all. */
const spellingProblem = (text: string): string | null => {
  if (spacesAndSlashes.test(text)) return 'the address must not hold spaces, backslashes or control characters';
  return authorityOf(text) === undefined || !URL.canParse(text) ? 'the address must be an absolute URL' : null;
};

/**
 * Why events can't be sent to an address, in words for its owner; null where they can, as far as its text tells. What a
 * name resolves to is judged at each connection. `allowLocal` lets `http://localhost` and loopback addresses pass.
 */
export const webhookUrlProblem = (text: string, allowLocal: boolean): string | null => {
  const misspelled = spellingProblem(text);
  if (misspelled !== null) return misspelled;
  const url = new URL(text);
  const host = bareHost(url.hostname);
  if (url.protocol !== 'https:' && !(allowLocal && isLocalUrl(url))) {
    return 'the address must use https';
  }
  if (namesUser(text)) return 'the address must not hold a user name or password';
  if (isLocalHost(host)) return allowLocal ? null : 'the address must be public';
  return isInnerHost(host) ? 'the address must be public' : null;
};

/**
 * Why the service does not fetch from an address that a caller names, in words for the caller; null where it may, as far
 * as the text tells. What a name resolves to is judged at each connection. What parsers of URLs read differently is
 * refused: spaces, backslashes, user information, fragments, more or fewer than two slashes.
 * @param protocols Those that are welcome, such as `https:`.
 * @param allowLocal Lets plain addresses of this very machine pass.
 */
export const publicUrlProblem = (
  text: string,
  protocols: readonly ('http:' | 'https:')[],
  allowLocal = false,
): string | null => {
  const misspelled = spellingProblem(text);
  if (misspelled !== null) return misspelled;
  const url = new URL(text);
  const isAllowed = allowLocal && isLocalUrl(url);
  if (!isAllowed && !protocols.some((protocol) => protocol === url.protocol))
    return `the address must use ${protocols.map((protocol) => protocol.slice(0, -1)).join(' or ')}`;
  if (namesUser(text)) return 'the address must not hold a user name or password';
  if (text.includes('#')) return 'the address must not hold a fragment';
  if (isAllowed) return null;
  const host = bareHost(url.hostname);
  return isLocalHost(host) || isInnerHost(host) ? 'the address must be public' : null;
};
