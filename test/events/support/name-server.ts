import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { promises as dns, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';

/** Responses of a name server in order; the last one repeats. */
type Script = readonly (readonly string[])[];

const types = { A: 1, AAAA: 28 } as const;

/** Returns a resource record for the name of the query, with a TTL of 0. */
const recordOf = (address: string): Buffer => {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(bytes.length === 4 ? types.A : types.AAAA, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
};

/** Returns name and type of the query in a request, and its end. */
const questionOf = (request: Buffer) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = request[at] ?? 0; length > 0; length = request[at] ?? 0) {
    labels.push(request.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: request.readUInt16BE(at + 1), end: at + 5 };
};

const answerTo = (request: Buffer, end: number, addresses: readonly string[]): Buffer => {
  const head = Buffer.from(request.subarray(0, 12));
  head.writeUInt16BE(0x81_80, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, request.subarray(12, end), ...addresses.map(recordOf)]);
};

/** Starts a name server on loopback with changing responses, and returns a resolver that uses it. */
export const startNameServer = async (scripts: Readonly<Record<string, Script>>) => {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (request, { port, address }) => {
    const { name, type, end } = questionOf(request);
    const script = scripts[name] ?? [];
    // Each lookup sends a query for both address families, which get the same response.
    const round = asked.get(`${name} ${type}`) ?? 0;
    asked.set(`${name} ${type}`, round + 1);
    const now = script[Math.min(round, script.length - 1)] ?? [];
    const wanted = now.filter((one) => one.includes(':') === (type === types.AAAA));
    socket.send(answerTo(request, end, wanted), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const none = (error: unknown): string[] => {
    if ((error as NodeJS.ErrnoException).code === 'ENODATA') return [];
    throw error;
  };
  return {
    resolve: async (name: string): Promise<readonly LookupAddress[]> => {
      const [four, six] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]);
      return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))];
    },
    lookups: (name: string): number => asked.get(`${name} ${types.A}`) ?? 0,
    close: (): void => {
      resolver.cancel();
      socket.close();
    },
  };
};
