import { type LookupAddress, promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { bareHost } from './public-address.ts';

/** Thrown instead of connecting to an address that is not permitted. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'ForbiddenAddress';
  }
}

/** Resolves a host name to its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Whether a connection to an IP address may be made. */
export type Permits = (address: string) => boolean;

interface Guard {
  /** Returns the rule for a protocol (`https:`) and a port (empty: the protocol's default); null if none may connect. */
  readonly permits: (protocol: string, port: string) => Permits | null;
  /** Resolver of host names; by default that of the operating system. */
  readonly resolve?: Resolve;
}

export const systemResolve: Resolve = (hostname) => dns.lookup(hostname, { all: true });

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

const permitted = async (hostname: string, resolve: Resolve, permits: Permits): Promise<Addresses> => {
  const [first, ...others] = await resolve(hostname);
  if (first === undefined || ![first, ...others].every(({ address }) => permits(address))) {
    throw new ForbiddenAddress(hostname);
  }
  return [first, ...others];
};

/** Resolves once and connects to those addresses, so that a second DNS response (rebinding) cannot differ. */
export const guardedLookup = (resolve: Resolve, permits: Permits): LookupFunction => {
  const lookup = callbackify((hostname: string) => permitted(hostname, resolve, permits));
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
};

/** Sites with long content security policies send more than the default of 16 KiB. */
const maxHeaderBytes = 64 * 1024;

/**
 * Returns a dispatcher that connects to permitted addresses only, which prevents server-side request forgery (SSRF). All
 * addresses of a name must be permitted. IP literals never reach a lookup, so they are checked separately.
 */
export const guardedAgent = ({ permits, resolve = systemResolve }: Guard): Dispatcher => {
  const connectors = new Map<Permits, buildConnector.connector>();
  const connectorOf = (rule: Permits): buildConnector.connector => {
    const known = connectors.get(rule);
    if (known !== undefined) return known;
    const made = buildConnector({ timeout: 10_000, allowH2: false, lookup: guardedLookup(resolve, rule) });
    connectors.set(rule, made);
    return made;
  };
  return new Agent({
    maxHeaderSize: maxHeaderBytes,
    connect: (options, callback) => {
      const rule = permits(options.protocol, options.port);
      const host = bareHost(options.hostname);
      if (rule === null || (isIP(host) !== 0 && !rule(host))) callback(new ForbiddenAddress(options.hostname), null);
      else connectorOf(rule)(options, callback);
    },
  });
};
