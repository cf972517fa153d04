import ipaddr from 'ipaddr.js';

const globalUnicastIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Address of the Azure platform, which only virtual machines of Azure reach. Source:
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const azurePlatform = '168.63.129.16';

/**
 * Whether an IP address belongs to the public internet. Only plain unicast passes: no loopback, private, link-local,
 * shared, documentation, multicast, mapped, translated or tunnelled address. IPv6 outside 2000::/3 is never public. This
 * also covers the deprecated forms that contain an IPv4 address (`::127.0.0.1`). The address of the Azure platform looks
 * public and is refused too. Source: the IANA special-purpose registries.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === azurePlatform) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicastIpv6);
};

/** Whether an IP address is a loopback address, in 127.0.0.0/8 or `::1`. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';

/** Returns a host name without the brackets of IPv6 and without the final dot of a fully qualified name. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();

const isLocalHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);

/** Whether a URL is a plain HTTP address of this machine. */
export const isLocalUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && isLocalHost(bareHost(hostname));

const innerDomains = ['.local', '.internal', '.home.arpa'];

/** Whether no label of a host name is empty. Resolvers differ in how they read `example..com`. */
const isWholeName = (host: string): boolean => host.split('.').every((label) => label !== '');

const isInnerHost = (host: string): boolean =>
  ipaddr.isValid(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || !isWholeName(host) || innerDomains.some((domain) => host.endsWith(domain));

// oxlint-disable-next-line no-control-regex -- the pattern searches for control characters
const spacesAndSlashes = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]/u;

/** Returns the authority of a URL: the text between the two slashes and the path. */
const authorityOf = (text: string): string | undefined => /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1];

const namesUser = (text: string): boolean => authorityOf(text)?.includes('@') === true;

/** Returns why URL parsers would reject an address or read it differently; null if they agree. */
const spellingProblem = (text: string): string | null => {
  if (spacesAndSlashes.test(text)) return 'the address must not contain spaces, backslashes or control characters';
  return authorityOf(text) === undefined || !URL.canParse(text) ? 'the address must be an absolute URL' : null;
};

/**
 * Returns why events cannot be sent to a webhook address, as a message for its owner; null if the text is acceptable.
 * The addresses that a name resolves to are checked at each connection.
 * @param allowLocal Accepts `http://localhost` and loopback addresses.
 */
export const webhookUrlProblem = (text: string, allowLocal: boolean): string | null => {
  const misspelled = spellingProblem(text);
  if (misspelled !== null) return misspelled;
  const url = new URL(text);
  const host = bareHost(url.hostname);
  if (url.protocol !== 'https:' && !(allowLocal && isLocalUrl(url))) {
    return 'the address must begin with https://';
  }
  if (namesUser(text)) return 'the address must not contain a user name or password';
  if (isLocalHost(host)) return allowLocal ? null : 'the address must be public';
  return isInnerHost(host) ? 'the address must be public' : null;
};

/**
 * Returns why the service does not fetch from an address, as a message for the caller; null if the text is acceptable.
 * The addresses that a name resolves to are checked at each connection. Parts that URL parsers read differently are
 * refused: spaces, backslashes, user information, fragments, more or fewer than two slashes.
 * @param protocols Accepted protocols, such as `https:`.
 * @param allowLocal Accepts plain HTTP addresses of this machine.
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
    return `the address must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  if (namesUser(text)) return 'the address must not contain a user name or password';
  if (text.includes('#')) return 'the address must not contain a fragment';
  if (isAllowed) return null;
  const host = bareHost(url.hostname);
  return isLocalHost(host) || isInnerHost(host) ? 'the address must be public' : null;
};
