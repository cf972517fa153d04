import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { publicPost } from '../../shared/platform/delivery/public-fetch.ts';
import { startNameServer } from '../events/support/name-server.ts';

/** Public address in an unassigned block, which is never reachable. */
const nowhere = '2d00::1';

const scripts = {
  'loopback.example.com': [[nowhere], ['127.0.0.1']],
  'loopback6.example.com': [[nowhere], ['::1']],
  'private.example.com': [[nowhere], ['10.0.0.1'], ['192.168.1.1'], ['172.16.0.1']],
  'metadata.example.com': [[nowhere], ['169.254.169.254'], ['fd00:ec2::254'], ['169.254.170.2']],
  'mapped.example.com': [[nowhere], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['::127.0.0.1']],
  'mixed.example.com': [
    [nowhere, '127.0.0.1'],
    ['127.0.0.1', nowhere],
    ['93.184.215.14', '::1'],
  ],
  'alternating.example.com': [[nowhere], ['127.0.0.1'], [nowhere], ['::1'], [nowhere], ['0.0.0.0']],
};

const connections: string[] = [];
const servers: Server[] = [];
let port = 0;

const listenOn = async (host: string): Promise<void> => {
  const server = createServer((socket) => {
    connections.push(host);
    socket.destroy();
  });
  server.listen(port, host);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  servers.push(server);
};

before(async () => {
  await listenOn('127.0.0.1');
  // Not every machine has IPv6.
  await listenOn('::1').catch(() => undefined);
});

after(() => {
  for (const server of servers) server.close();
});

test('a host name that changes from a public to a private address (DNS rebinding) is connected at its checked address only', async () => {
  const names = await startNameServer(scripts);
  const post = publicPost({ allowLocal: false, timeoutMs: 400, resolve: names.resolve });
  try {
    for (const [name, answers] of Object.entries(scripts)) {
      for (const [round, addresses] of answers.entries()) {
        const outcome = await post({ url: `https://${name}:${port}/hook`, headers: {}, body: '{}' });
        const failure = 'failure' in outcome ? outcome.failure : outcome.status;
        const isInner = addresses.some((address) => address !== nowhere);
        assert.equal(failure === 'address_not_allowed', isInner, `${name}: ${addresses.join(', ')}`);
        assert.equal(names.lookups(name), round + 1, 'one look-up for each connection');
      }
    }
    assert.deepEqual(connections, []);
  } finally {
    names.close();
  }
});
