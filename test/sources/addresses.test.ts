import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlJobCreate } from '../../shared/crawls/index.ts';
import { CustomApiCreate, endpointProblems } from '../../shared/connectors/index.ts';
import { RemoteFileImport } from '../../shared/imports/index.ts';
import { type ImportProvider, readObjectUri } from '../../shared/platform/object-sources/object-uri.ts';
import { openPublicGet } from '../../shared/platform/connectors/public-http.ts';
import { publicUrlProblem, webhookUrlProblem } from '../../shared/platform/delivery/public-address.ts';
import { assertLinear } from '../support/cpu-time.ts';

/** Hosts that are no public ones, in the spellings that URL parsers take. */
const innerHosts = [
  'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ＬＯＣＡＬＨＯＳＴ', 'loc%61lhost', '127.0.0.1', '127.0.0.1.',
  '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001', '%31%32%37.0.0.1',
  '１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '0', '0.0', '0.0.0.0', '10.0.0.1', '10.1', '0xa000001', '172.16.0.1',
  '172.31.255.255', '192.168.0.1', '192.168.257', '3232235521', '100.64.0.1', '198.18.0.1', '192.0.2.1', '224.0.0.1',
  '240.0.0.1', '255.255.255.255', '169.254.169.254', '169.254.43518', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376',
  '169.254.170.2', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]',
  '[ff02::1]', '[2001:db8::1]', 'intranet', 'metadata.google.internal', 'printer.local', 'nas.home.arpa',
  'localhost..', '127.0.0.1..', 'example..com', '.example.com',
]; // prettier-ignore

const webProtocols = ['http:', 'https:'] as const;

test('no spelling of a private host is accepted as a URL, with any protocol and port', () => {
  assert.ok(innerHosts.length >= 40);
  for (const host of innerHosts) {
    for (const url of [`http://${host}/`, `https://${host}:8443/a?b=c`]) {
      assert.notEqual(publicUrlProblem(url, webProtocols), null, url);
    }
  }
});

test('public hosts are accepted by name and by address', () => {
  for (const url of [
    'http://example.com',
    'https://example.com./',
    'HTTPS://EXAMPLE.COM/a',
    'https://docs.example.com:8443/a/b?c=d@e',
    'https://bücher.example/',
    'http://8.8.8.8/',
    'http://[2606:4700:4700::1111]/',
    'http://172.32.0.1/',
  ]) {
    assert.equal(publicUrlProblem(url, webProtocols), null, url);
  }
  assert.match(publicUrlProblem('http://example.com', ['https:']) ?? '', /must begin with https:\/\/$/);
});

test('URLs that parsers interpret differently are rejected', () => {
  for (const url of [
    'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'gopher://example.com',
    '//example.com', '/docs', 'example.com', 'https:example.com', 'https:/example.com', 'https:///example.com',
    'http://user@example.com', 'http://user:password@example.com', 'http://@example.com', 'http:///user@example.com', 'http://:@example.com',
    'http://example.com@127.0.0.1/', 'http://127.0.0.1@example.com/', 'http://example.com#@127.0.0.1/',
    'http://example.com/#top', 'http://127.0.0.1#.example.com/', 'http://example.com\\@127.0.0.1/',
    'http:\\\\example.com', 'http://example.com\\.evil.example', ' http://example.com', 'http://example.com ',
    'http://exam\nple.com', 'http://exam\tple.com', 'http://example.com/\u0000', 'http://example.com/\u202egnp',
    'http://example.com/a b', 'http://exa\u00adm\u200bple.com', 'http://', 'http://[', 'http://[::1', 'http://256.1.1.1/',
    'http://example.com:99999/',
  ]) {
    assert.notEqual(publicUrlProblem(url, webProtocols), null, JSON.stringify(url));
  } // prettier-ignore
});

test('crawls and custom APIs apply the same URL rules, and custom APIs accept only https without a query', () => {
  for (const host of innerHosts) {
    assert.equal(CrawlJobCreate.safeParse({ url: `http://${host}/` }).success, false, host);
    assert.equal(CustomApiCreate.shape.base_url.safeParse(`https://${host}/`).success, false, host);
  }
  assert.ok(CrawlJobCreate.safeParse({ url: 'http://example.com/a?b=c' }).success);
  const { url } = CrawlJobCreate.parse({ url: 'http://example.com/a?b=c#top' });
  assert.equal(url, 'http://example.com/a?b=c');
  assert.ok(!CrawlJobCreate.safeParse({ url: '#top' }).success);
  assert.ok(CustomApiCreate.shape.base_url.safeParse('https://api.example.com/v1').success);
  for (const url of ['http://api.example.com', 'https://api.example.com?key=1', 'https://api.example.com/#a']) {
    assert.equal(CustomApiCreate.shape.base_url.safeParse(url).success, false, url);
  }
});

test('the local machine is recognized by all of its names', async () => {
  const asked = (url: string, allowLocal: boolean) =>
    openPublicGet(allowLocal)({ url, method: 'GET', headers: {}, maxBytes: 1, followsRedirects: false }, new Date());
  for (const host of [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '[::1]',
  ]) {
    const url = `http://${host}:9/v2`;
    assert.equal(webhookUrlProblem(url, true), null, url);
    assert.equal(publicUrlProblem(url, ['https:'], true), null, url);
    assert.ok(CustomApiCreate.shape.base_url.safeParse(url).success, url);
    assert.deepEqual(
      [true, false].map((allowLocal) => endpointProblems({ base_url: url }, allowLocal).length),
      [0, 1],
      url,
    );
    await assert.rejects(
      asked(url, false),
      { kind: 'unreadable', message: 'the address must begin with https://' },
      url,
    );
  }
  for (const host of ['127.0.0.2', '[::1]'])
    await assert.rejects(asked(`http://${host}:9/`, true), { kind: 'busy', message: 'The API is unreachable' }, host);
  for (const url of [
    'http://user@localhost/',
    'http://localhost/#a',
    'http://localhost/a b',
    'http://localhost.example.com/',
    'http://10.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost:99999/',
  ])
    assert.equal(CustomApiCreate.shape.base_url.safeParse(url).success, false, url);
});

const place = (provider: ImportProvider, uri: string) => {
  const read = readObjectUri(provider, uri);
  return 'place' in read ? read.place : null;
};

test('object URLs are parsed in the spelling of each provider', () => {
  const read = (container: string, key: string, account: string | null = null) => ({ account, container, key });
  assert.deepEqual(place('aws_s3', 's3://my.bucket-1/a/b c?d#e.pdf'), read('my.bucket-1', 'a/b c?d#e.pdf'));
  assert.deepEqual(place('aws_s3', 's3://bucket//a'), read('bucket', '/a'));
  assert.deepEqual(place('aws_s3', `s3://bucket/${'é'.repeat(512)}`), read('bucket', 'é'.repeat(512)));
  const old = `Old_Bucket${'1'.repeat(60)}`;
  assert.deepEqual(place('aws_s3', `s3://${old}/a`), read(old, 'a'));
  assert.deepEqual(place('gcs', 'gs://my_bucket.example/a%20b'), read('my_bucket.example', 'a%20b'));
  const azure = 'https://account1.blob.core.windows.net';
  assert.deepEqual(place('azure_blob', `${azure}/docs-2/a/b%20c%23.pdf`), read('docs-2', 'a/b c#.pdf', 'account1'));
  assert.deepEqual(place('azure_blob', `${azure}/$root/a.txt`), read('$root', 'a.txt', 'account1'));
  const presigned = 'https://example.com:8443/a%20b/c.parquet?X-Amz-Signature=1';
  assert.deepEqual(place('url', presigned), read('https://example.com:8443', '/a%20b/c.parquet'));
});

/** Addresses that fit no provider in its own field. */
const badUris: Readonly<Record<ImportProvider, readonly string[]>> = {
  aws_s3: [
    's3://', 's3://bucket', 's3://bucket/', 's3://bucket/folder/', 's3:///key', 's3:/bucket/key', 'S3://bucket/key',
    's3://bu/key', `s3://${'b'.repeat(256)}/key`, 's3://-bucket/key', 's3://bucket-/key',
    's3://buc..ket/key', 's3://192.168.1.1/key', 's3://user@bucket/key', 's3://bucket:80/key',
    's3://bucket/../other/key', 's3://bucket/a/./b', 's3://bucket/..', 's3://bucket/a\\..\\b', 's3://bucket/a\nb',
    's3://bucket/a\u0000', `s3://bucket/${'é'.repeat(513)}`, 's3://bucket/\ud800', ' s3://bucket/key', 'gs://bucket/key',
    'https://bucket.s3.amazonaws.com/key', 'arn:aws:s3:::bucket/key', 'file:///etc/passwd',
  ],
  gcs: [
    'gs://', 'gs://bucket', 'gs://bucket/', 'gs://bucket/folder/', 'gs://Bucket/key', 'gs://10.0.0.1/key',
    'gs://bucket/../key', 'gs://bucket/.', 'gs://bucket/a\r\nb', 's3://bucket/key',
    'https://storage.googleapis.com/bucket/key',
  ],
  azure_blob: [
    'https://account.blob.core.windows.net', 'https://account.blob.core.windows.net/docs',
    'https://account.blob.core.windows.net/docs/', 'https://account.blob.core.windows.net/docs/folder/',
    'http://account.blob.core.windows.net/docs/a', 'https://Account.blob.core.windows.net/docs/a',
    'https://ac.blob.core.windows.net/docs/a', 'https://account.blob.core.windows.net.evil.example/docs/a',
    'https://evil.example/account.blob.core.windows.net/docs/a', 'https://account.evil.example/docs/a',
    'https://account.blob.core.windows.net@evil.example/docs/a', 'https://u:p@account.blob.core.windows.net/docs/a',
    'https://account.blob.core.windows.net:8443/docs/a', 'https://account.blob.core.windows.net/docs/a?sv=1&sig=2',
    'https://account.blob.core.windows.net/docs/a#b', 'https://account.blob.core.windows.net/docs/../a/b',
    'https://account.blob.core.windows.net/docs/%2e%2e/b', 'https://account.blob.core.windows.net/docs/a%2f..%2fb',
    'https://account.blob.core.windows.net/docs/%zz', 'https://account.blob.core.windows.net/docs/%ff',
    'https://account.blob.core.windows.net/docs/a%00', 'https://account.blob.core.windows.net/do--cs/a',
    'https://account.blob.core.windows.net/-docs/a', `https://account.blob.core.windows.net/${'d'.repeat(64)}/a`,
    'https://account.blob.core.windows.net/docs/a b', '//account.blob.core.windows.net/docs/a',
  ],
  url: [
    '', 'bucket/key', 's3://bucket/key', 'http://example.com/a', 'ftp://example.com/a', 'https://user:p@example.com/a',
    'https://example.com/a#b', 'https:///a', 'https://10.0.0.1/a', 'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a', 'https://db.internal/a', 'file:///etc/passwd', 'https://example.com\\a', 'https://exa mple.com/a',
  ],
  export: [
    '', 'idx_01kfwq3v8r5n2x7d9t4m6b0c1e', 'exp_01kfwq3v8r5n2x7d9t4m6b0c1e', 'idx_01kfwq3v8r5n2x7d9t4m6b0c1e/exp_1',
    'handbook/exp_01kfwq3v8r5n2x7d9t4m6b0c1e', 'idx_01kfwq3v8r5n2x7d9t4m6b0c1e/exp_01kfwq3v8r5n2x7d9t4m6b0c1e/x',
  ],
}; // prettier-ignore

test('object URLs of other forms, hosts or folders are rejected', () => {
  for (const [provider, uris] of Object.entries(badUris)) {
    for (const uri of uris) {
      assert.equal(place(provider as ImportProvider, uri), null, `${provider} ${JSON.stringify(uri)}`);
      assert.equal(RemoteFileImport.safeParse({ provider, uri }).success, false, uri);
    }
  }
});

test('long values of every field are validated in linear time', async () => {
  const judge = (long: number): void => {
    const bodies = [
      { provider: 'aws_s3', uri: `s3://bucket/${'../'.repeat(long)}`, credentials: { role_arn: '/'.repeat(long) } },
      {
        provider: 'azure_blob',
        uri: `https://a${'-a'.repeat(long)}`,
        credentials: { sas_token: '&sig='.repeat(long) },
      },
      {
        provider: 'gcs',
        uri: 'gs://b/k',
        credentials: { private_key: '-----BEGIN PRIVATE KEY-----'.repeat(long / 27) },
      },
    ];
    for (const body of bodies) assert.equal(RemoteFileImport.safeParse(body).success, false);
    for (const text of ['/'.repeat(long), '~'.repeat(long), `${'/a'.repeat(long)}~`, ' '.repeat(long)]) {
      const list = { path: text, items: text };
      const auth = { type: 'header', name: text, value: ` ${text} ` };
      CustomApiCreate.safeParse({ name: 'a', base_url: text, auth, list, item: { id: text, text } });
      CrawlJobCreate.safeParse({ url: `http://${text}` });
    }
  };
  await assertLinear(judge, 500_000, 'characters');
});
