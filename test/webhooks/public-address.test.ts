import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { isPublicAddress, webhookUrlProblem } from '../../shared/platform/delivery/public-address.ts';
import { publicPost } from '../../shared/platform/delivery/public-fetch.ts';

const inner = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254', '127.0.0.1', '127.1.2.3',
  '169.254.0.1', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1',
  '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1', '::7f00:1', '::169.254.169.254',
  '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1',
  '2001:db8::1', '2002:7f00:1::', '2002:a9fe:a9fe::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fd12::1',
  'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '0:0:0:0:0:0:0:1', '0000::0001', '168.63.129.16',
]; // prettier-ignore

const outer = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '168.63.129.15',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
];

test('only plain public unicast addresses are public', () => {
  assert.deepEqual(inner.filter(isPublicAddress), []);
  assert.deepEqual(
    outer.filter((address) => !isPublicAddress(address)),
    [],
  );
  assert.ok(!isPublicAddress('example.com') && !isPublicAddress(''));
});

/** Other spellings of loopback and metadata addresses that URLs accept. */
const spellings = [
  '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001', '127.0.0.1.', '0', '0.0',
  '168.63.33040', '0xa83f8110', '%31%32%37.0.0.1', '１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '169.254.43518', '0xa9fea9fe', '2852039166',
  '0251.0376.0251.0376', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
  '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fd00:ec2::254]', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost',
  'ＬＯＣＡＬＨＯＳＴ', 'loc%61lhost', 'intranet', 'db.internal', 'metadata.google.internal', 'printer.local', 'nas.home.arpa',
]; // prettier-ignore

test('no spelling of a private address is accepted as a webhook URL', () => {
  const hosts = [
    ...spellings,
    ...inner.map((address) => (address.includes(':') ? `[${address.split('%')[0]}]` : address)),
  ];
  for (const host of hosts) assert.notEqual(webhookUrlProblem(`https://${host}/hook`, false), null, host);
  for (const host of ['example.com', 'hooks.example.com:8443', '8.8.8.8', '[2606:4700:4700::1111]']) {
    assert.equal(webhookUrlProblem(`https://${host}/hook?a=b`, false), null, host);
  }
});

test('a webhook URL with another scheme, credentials or a relative path is refused, and a local one accepted only if allowed', () => {
  for (const url of [
    'http://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:1',
    '//example.com',
    'hook',
    '',
  ]) {
    assert.notEqual(webhookUrlProblem(url, true), null, url);
  }
  for (const url of ['https://user:pass@example.com', 'https://@example.com', 'http://user@localhost'])
    assert.match(webhookUrlProblem(url, true) ?? '', /user name/);
  for (const url of ['http://localhost:4000/x', 'http://127.0.0.1:1', 'http://[::1]:1/', 'https://localhost']) {
    assert.equal(webhookUrlProblem(url, true), null, url);
    assert.notEqual(webhookUrlProblem(url, false), null, url);
  }
  assert.notEqual(webhookUrlProblem('https://10.0.0.1/', true), null);
  assert.notEqual(webhookUrlProblem('http://169.254.169.254/', true), null);
});

test('a webhook URL that parsers read differently is refused, local or not', () => {
  for (const url of [
    'https://example.com/\r\nX: 1',
    'https://example.com/\u0000',
    'https://example.com/a b',
    'https://exam\tple.com/',
    ' https://example.com',
    'https://example.com\\@127.0.0.1/',
    'http://localhost:4000/\r\nX: 1',
  ]) {
    assert.match(webhookUrlProblem(url, true) ?? '', /control characters/, JSON.stringify(url));
  }
  assert.match(webhookUrlProblem('https:\\\\a.b', true) ?? '', /backslashes/);
  for (const url of ['https:example.com', 'https:/example.com', 'https:///example.com', 'http:/localhost'])
    assert.match(webhookUrlProblem(url, true) ?? '', /absolute URL/, url);
  for (const host of ['a..b', '.example.com', 'example.com..', 'localhost..'])
    assert.match(webhookUrlProblem(`https://${host}/`, true) ?? '', /must be public/, host);
  for (const url of ['https://example.com./a?b=c#d', 'HTTPS://EXAMPLE.COM', 'https://bücher.example/ä'])
    assert.equal(webhookUrlProblem(url, false), null, url);
});

let server: Server;
let port: number;
let connections = 0;

before(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
});

after(() => server.close());

const postTo = (url: string, post: ReturnType<typeof publicPost>) => post({ url, headers: {}, body: '{}' });

test('no connection is made to a private address by any spelling, name or DNS response', async () => {
  const refused = { failure: 'address_not_allowed' };
  const literals = inner.map((address) => (address.includes(':') ? `[${address.split('%')[0]}]` : address));
  const hosts = [...new Set([...spellings, ...literals])];
  assert.ok(hosts.length >= 60);
  // Every name resolves to this machine.
  const toLoopback = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const wherever = publicPost({ allowLocal: false, timeoutMs: 5_000, resolve: toLoopback });
  for (const host of hosts) {
    for (const protocol of ['https', 'http']) {
      assert.deepEqual(await postTo(`${protocol}://${host}:${port}/`, wherever), refused, host);
    }
  }
  const answers: Readonly<Record<string, readonly string[]>> = {
    'inner.example.com': ['127.0.0.1'],
    'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
    'mapped.example.com': ['::ffff:127.0.0.1'],
    'metadata.example.com': ['169.254.169.254'],
    'none.example.com': [],
  };
  const resolve = (host: string) =>
    Promise.resolve((answers[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  const named = publicPost({ allowLocal: false, timeoutMs: 5_000, resolve });
  for (const host of Object.keys(answers))
    assert.deepEqual(await postTo(`https://${host}:${port}/`, named), refused, host);
  assert.equal(connections, 0);
});

test('a host name is resolved once per connection, which uses the checked addresses', async () => {
  const asked: string[] = [];
  const resolve = (host: string) => {
    asked.push(host);
    return Promise.resolve([{ address: asked.length === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
  };
  const post = publicPost({ allowLocal: true, timeoutMs: 5_000, resolve });
  assert.deepEqual(await postTo(`http://rebinding.example.com:${port}/`, post), { status: 200, retryAfter: null });
  assert.deepEqual([asked.length, connections], [1, 1]);
  assert.deepEqual(await postTo(`https://rebinding.example.com:${port}/`, post), { failure: 'address_not_allowed' });
  assert.deepEqual([asked.length, connections], [2, 1]);
});

test('a delivery follows no redirect of any status and spelling', async () => {
  const before = connections;
  const plain = spellings.filter((host) => /^[\x20-\x7e]+$/.test(host));
  const targets = plain.map((host) => `http://${host}:${port}/`);
  let nth = 0;
  const redirecting = createHttpServer((_, response) => {
    nth += 1;
    const status = [301, 302, 303, 307, 308][nth % 5] ?? 302;
    response.writeHead(status, { location: targets[nth % targets.length] ?? '', refresh: `0;url=${targets[0]}` }).end();
  });
  await new Promise<void>((resolve) => {
    redirecting.listen(0, '127.0.0.1', resolve);
  });
  const post = publicPost({ allowLocal: true, timeoutMs: 5_000 });
  const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
  for (let round = 0; round < 60; round += 1) {
    const outcome = await postTo(url, post);
    assert.ok('status' in outcome && outcome.status >= 301 && outcome.status <= 308);
  }
  assert.equal(connections, before);
  redirecting.closeAllConnections();
  redirecting.close();
});
