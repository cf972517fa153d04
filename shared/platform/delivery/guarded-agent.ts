import { type LookupAddress, promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { bareHost } from './public-address.ts';

/** Raised in place of a connection to an address that is not permitted. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'ForbiddenAddress';
  }
}

/** How a name becomes addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Whether a connection to an IP address may be made. */
export type Permits = (address: string) => boolean;

interface Guard {
  /** What applies to a protocol (`https:`) and a port (empty: the protocol's own); null where there is no way at all. */
  readonly permits: (protocol: string, port: string) => Permits | null;
  /** How names become addresses; by default as the operating system does it. */
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

/** Resolves once and hands over those very addresses, so that no second answer of a name server can differ. */
const guardedLookup = (resolve: Resolve, permits: Permits): LookupFunction => {
  const lookup = callbackify((hostname: string) => permitted(hostname, resolve, permits));
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
};

/** Sites with long policies send more than the 16 KiB that are usual. */
const mostHeaderBytes = 64 * 1024;

/**
 * A dispatcher whose every connection is to a permitted address, whatever the URL, the name server or an earlier answer
 * says. All addresses of a name must be permitted. IP literals never reach a lookup, so they are judged apart.
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
    maxHeaderSize: mostHeaderBytes,
    connect: (options, callback) => {
      const rule = permits(options.protocol, options.port);
      const host = bareHost(options.hostname);
      if (rule === null || (isIP(host) !== 0 && !rule(host))) callback(new ForbiddenAddress(options.hostname), null);
      else connectorOf(rule)(options, callback);
    },
  });
};
