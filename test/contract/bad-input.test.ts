import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { allEndpoints, bodySchemaOf, type JsonSchema, resolveSchema, undocumented } from './support/document.ts';
import { capitalized } from '../../shared/kernel/text.ts';
import { openContractService, type WireAnswer } from './support/service.ts';
import { ask, type Body, headersOf, newIndex, newMember, newTenant } from './support/fixture.ts';

const service = await openContractService();
after(() => service.close());
const send = service.inProcess;
const place = await newTenant(service, send);
const foreign = await newTenant(service, send);
const { bearer } = place.owner;
const index = `/v1/indexes/${place.indexId}`;

type Loc = readonly (string | number)[];
type Problem = readonly [loc: Loc, type: string, msg: string];
/** Request, and every expected problem in order. */
type Case = readonly [what: string, body: unknown, problems: readonly Problem[]];

const bytesOf = (body: unknown): string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);

const request = (method: string, url: string, body?: unknown, headers = {}): Promise<WireAnswer> =>
  send({
    method,
    url,
    headers: { ...headersOf(bearer, body === undefined ? null : 'application/json'), ...headers },
    ...(body === undefined ? {} : { body: bytesOf(body) }),
  });

const parsed = ({ text }: WireAnswer): Body => JSON.parse(text);

/** Checks a response against the API description, if its path is that of an endpoint. */
const assertDocumented = (method: string, url: string, answer: WireAnswer): void => {
  const path = url.split('?')[0] ?? '';
  const endpoint = allEndpoints.find(
    (candidate) =>
      candidate.method === method && new RegExp(`^${candidate.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  if (endpoint !== undefined) assert.equal(undocumented(endpoint, answer), null);
};

const assertProblems = async (method: string, url: string, body: unknown, problems: readonly Problem[]) => {
  const answer = await request(method, url, body);
  const detail = problems.map(([loc, type, msg]) => ({ loc, msg, type }));
  assert.deepEqual({ status: answer.status, ...parsed(answer) }, { status: 422, detail });
  assertDocumented(method, url, answer);
};

const assertRefused = (answer: WireAnswer, status: number, code: string): void => {
  assert.deepEqual([answer.status, parsed(answer).code], [status, code], answer.text);
  assert.equal(parsed(answer).request_id, answer.headers['x-request-id']);
};

/** Defines one test for a group of cases. Its failure names the case. */
const golden = (name: string, method: string, url: string, cases: readonly Case[]): void => {
  test(`422: ${name}`, async (context) => {
    for (const [what, body, problems] of cases)
      await context.test(what, () => assertProblems(method, url, body, problems));
  });
};

const valueError = (loc: Loc, msg: string): Problem => [loc, 'value_error', capitalized(msg)];
const missing = (...loc: Loc): Problem => [loc, 'missing', 'Field required'];
const notString = (...loc: Loc): Problem => [loc, 'string_type', 'Input should be a valid string'];
const notInteger = (...loc: Loc): Problem => [loc, 'int_type', 'Input should be a valid integer'];
const notNumber = (...loc: Loc): Problem => [loc, 'float_type', 'Input should be a valid number'];
const infinite = (...loc: Loc): Problem => [loc, 'finite_number', 'Input should be a finite number'];
const tooSmall = (loc: Loc, least: number): Problem => [
  loc,
  'greater_than_equal',
  `Input should be greater than or equal to ${least}`,
];
const tooBig = (loc: Loc, most: number): Problem => [
  loc,
  'less_than_equal',
  `Input should be less than or equal to ${most}`,
];
const fractional = (...loc: Loc): Problem => [
  loc,
  'int_from_float',
  'Input should be a valid integer, got a number with a fractional part',
];
const tooShort = (...loc: Loc): Problem => [loc, 'string_too_short', 'String should have at least 1 character'];
const tooLong = (loc: Loc, most: number): Problem => [
  loc,
  'string_too_long',
  `String should have at most ${most} characters`,
];
/** `place`: line and column, if the body has several lines. */
const noJson = (position: number, place = `line 1 column ${position + 1}`): Problem => [
  ['body', position],
  'json_invalid',
  `JSON decode error at ${place}`,
];
const badJson = (position: number, what: string, place = `line 1 column ${position + 1}`): Problem => [
  ['body', position],
  'json_invalid',
  `Invalid JSON: ${what} at ${place}`,
];
const notObject: Problem = [
  ['body'],
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
];
const extra = (...loc: Loc): Problem => [loc, 'extra_forbidden', 'Extra inputs are not permitted'];
const name = ['body', 'name'];
const dimensions = ['body', 'dimensions'];

golden('JSON', 'POST', '/v1/indexes', [
  ['empty', '', [missing('body')]],
  ['only space', '  ', [noJson(2)]],
  ['truncated', '{"name": ', [noJson(9)]],
  ['truncated in a string', '{"name": "a', [noJson(11)]],
  ['with NaN', '{"name":"a","dimensions":NaN}', [infinite(...dimensions)]],
  ['with -Infinity', '{"name":"NaN \\" Infinity","dimensions":-Infinity}', [infinite(...dimensions)]],
  ['with NaN in a field that is not known', '{"name":"a","x":[NaN]}', [infinite('body', 'x', 0)]],
  ['with NaN and another mistake', '{"name":"a","dimensions":NaN,}', [noJson(25)]],
  ['with what is named like it', '{"name":"a","dimensions":-NaN}', [noJson(26)]],
  ['with NaN alone', 'NaN', [infinite('body')]],
  ['with a comment', '{"name":"a"} // b', [noJson(13)]],
  ['a missing comma in the third line', '{\n  "name": "a"\n  "dimensions": 3\n}', [noJson(18, 'line 3 column 3')]],
  ['a trailing comma', '{"name":"a",}', [noJson(12)]],
  ['single quotes', "{'name':'a'}", [noJson(1)]],
  ['a byte order mark', '\uFEFF{"name":"a"}', [noJson(0)]],
  [
    'invalid UTF-8',
    Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    [badJson(9, 'invalid UTF-8')],
  ],
  [
    'invalid UTF-8 after its replacement character, in another line',
    Buffer.from([...Buffer.from('{"name":\n"ä\uFFFD'), 0xff, ...Buffer.from('"}')]),
    [badJson(12, 'invalid UTF-8', 'line 2 column 4')],
  ],
  ['a repeated key', '{"name":"a","name":"b"}', [badJson(12, 'repeated key')]],
  [
    'repeated keys in two lines',
    '{"name":"a",\n"name":"b",\r\n "name":"c"}',
    [badJson(13, 'repeated key', 'line 2 column 1'), badJson(27, 'repeated key', 'line 3 column 2')],
  ],
  ['a key repeated by an escape', '{"name":"a","n\\u0061me":"b"}', [badJson(12, 'repeated key')]],
  [
    'repeated keys in a list of objects, and no others',
    '{"name":"a","x":[{"y":1},{"y":1,"y":2,"z":{"y":1}},{"y":1}],"x":1}',
    [badJson(32, 'repeated key'), badJson(60, 'repeated key')],
  ],
  ['a lone surrogate', '{"name":"\\ud800"}', [badJson(8, 'lone surrogate in a string')]],
  ['a lone surrogate in a key', '{"name":"a","\\udc00":1}', [badJson(12, 'lone surrogate in a string')]],
  [
    'a forbidden key',
    '{"name":"a","__proto__":{"admin":true}}',
    [valueError(['body'], "the key '__proto__' is not allowed")],
  ],
  [
    'a forbidden key within another',
    '{"name":"a","x":[{"constructor":{"prototype":1}}]}',
    [valueError(['body'], "the key 'prototype' within 'constructor' is not allowed")],
  ],
  ['null', 'null', [missing('body')]],
  ['a number', '7', [notObject]],
  ['a string', '"name"', [notObject]],
  ['a list', '[{"name":"a"}]', [notObject]],
  [
    'depth 1,000',
    `{"name":"a","x":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
    [badJson(115, 'nested deeper than 100 levels')],
  ],
  [
    'depth 100,000',
    `{"name":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    [badJson(115, 'nested deeper than 100 levels')],
  ],
  ['depth 100,000, truncated', '['.repeat(100_000), [badJson(100, 'nested deeper than 100 levels')]],
]);

golden('fields of an index', 'POST', '/v1/indexes', [
  ['a missing name', {}, [missing(...name)]],
  ['a name of a wrong type', { name: 7 }, [notString(...name)]],
  ['a null name', { name: null }, [notString(...name)]],
  ['an empty name', { name: '' }, [tooShort(...name)]],
  ['an over-long name', { name: 'a'.repeat(256) }, [tooLong(name, 255)]],
  ['dimensions 0', { name: 'a', dimensions: 0 }, [tooSmall(dimensions, 1)]],
  ['dimensions -1', { name: 'a', dimensions: -1 }, [tooSmall(dimensions, 1)]],
  ['dimensions 4097', { name: 'a', dimensions: 4097 }, [tooBig(dimensions, 4096)]],
  ['dimensions 2^53', { name: 'a', dimensions: 2 ** 53 }, [tooBig(dimensions, 4096)]],
  ['dimensions -2^53', { name: 'a', dimensions: -(2 ** 53) }, [tooSmall(dimensions, 1)]],
  ['dimensions 1e999', '{"name":"a","dimensions":1e999}', [infinite(...dimensions)]],
  ['fractional dimensions', { name: 'a', dimensions: 1.5 }, [fractional(...dimensions)]],
  ['a boolean for a number', { name: 'a', dimensions: true }, [notInteger(...dimensions)]],
  ['text for a number', { name: 'a', dimensions: '1536' }, [notInteger(...dimensions)]],
  ['null for a number', { name: 'a', dimensions: null }, [notInteger(...dimensions)]],
  [
    'an unknown metric',
    { name: 'a', distance_metric: 'manhattan' },
    [[['body', 'distance_metric'], 'enum', "Input should be 'cosine' or 'euclidean'"]],
  ],
  [
    'an unknown region',
    { name: 'a', cloud_region: 'mars-1' },
    [[['body', 'cloud_region'], 'enum', "Input should be 'us-east-1'"]],
  ],
  [
    'an unknown region besides others',
    { dimensions: 0, cloud_region: 'mars-1' },
    [missing(...name), tooSmall(dimensions, 1), [['body', 'cloud_region'], 'enum', "Input should be 'us-east-1'"]],
  ],
  [
    'all at once',
    { dimensions: '3', distance_metric: 7, cloud_region: 7, non_filterable_metadata_keys: ['a', 7, ''] },
    [
      missing(...name),
      notInteger(...dimensions),
      [['body', 'distance_metric'], 'enum', "Input should be 'cosine' or 'euclidean'"],
      notString('body', 'cloud_region'),
      notString('body', 'non_filterable_metadata_keys', 1),
      tooShort('body', 'non_filterable_metadata_keys', 2),
    ],
  ],
  [
    'too many keys',
    { name: 'a', non_filterable_metadata_keys: Array.from({ length: 101 }, (_, at) => `k${at}`) },
    [
      [
        ['body', 'non_filterable_metadata_keys'],
        'too_long',
        'List should have at most 100 items after validation, not 101',
      ],
    ],
  ],
]);

const fixed = 'this field cannot be changed';

golden('fields that are fixed for life', 'PATCH', index, [
  ['dimensions', { name: 'b', dimensions: 3 }, [valueError(dimensions, fixed)]],
  ['a region, the same', { name: 'b', cloud_region: 'us-east-1' }, [valueError(['body', 'cloud_region'], fixed)]],
  [
    'several, and a bad name',
    { name: 7, id: 'idx', distance_metric: 'cosine', non_filterable_metadata_keys: [] },
    [
      notString(...name),
      ...['id', 'distance_metric', 'non_filterable_metadata_keys'].map((key) => valueError(['body', key], fixed)),
    ],
  ],
]);

const vector = ['body', 0, 'vector'];
const float32 = (...numbers: number[]): string => Buffer.from(new Float32Array(numbers).buffer).toString('base64');

golden('vectors', 'POST', `${index}/vectors`, [
  ['an object', {}, [[['body'], 'list_type', 'Input should be a valid list']]],
  ['null', 'null', [missing('body')]],
  ['an empty list', [], [[['body'], 'too_short', 'List should have at least 1 item after validation, not 0']]],
  [
    'too many items',
    Array.from({ length: 1_001 }, (_, at) => ({ id: `v${at}`, vector: [1, 0, 0] })),
    [[['body'], 'too_long', 'List should have at most 1000 items after validation, not 1001']],
  ],
  [
    'a wrong length',
    [{ id: 'a', vector: [1, 0] }],
    [valueError(vector, 'the index has 3 dimensions, this vector has 2')],
  ],
  ['an empty vector', [{ id: 'a', vector: [] }], [valueError(vector, 'the index has 3 dimensions, this vector has 0')]],
  ['NaN', '[{"id":"a","vector":[NaN,0,0]}]', [infinite(...vector, 0)]],
  [
    'NaN and infinities as Python writes them, in a vector and in metadata',
    '[{"id":"b","vector":[1,0,0]},{"id":"NaN","vector":[0,Infinity,0],"metadata":{"a":[-Infinity],"b":{"c":NaN}}}]',
    [
      infinite('body', 1, 'vector', 1),
      infinite('body', 1, 'metadata', 'a', 0),
      infinite('body', 1, 'metadata', 'b', 'c'),
    ],
  ],
  ['±1e999', '[{"id":"a","vector":[1e999,-1e999,0]}]', [infinite(...vector, 0), infinite(...vector, 1)]],
  [
    'float32 overflow',
    '[{"id":"a","vector":[1e39,0,-3.5e38]}]',
    [0, 2].map((at) => valueError([...vector, at], 'the number does not fit a 32-bit float')),
  ],
  [
    'elements that are no numbers',
    [{ id: 'a', vector: ['1', null, true] }],
    [0, 1, 2].map((at) => notNumber(...vector, at)),
  ],
  [
    'a zero vector under cosine',
    [{ id: 'a', vector: [0, -0, 0] }],
    [valueError(vector, 'a zero vector has no direction under the cosine metric')],
  ],
  [
    'numbers that vanish in their squares, and numbers that become infinite',
    [
      { id: 'a', vector: [1e-23, 0, 0] },
      { id: 'b', vector: [1e19, 0, 0] },
    ],
    [
      valueError(vector, 'the numbers are too small to be compared under the cosine metric'),
      valueError(['body', 1, 'vector'], 'the numbers are too large to be compared'),
    ],
  ],
  [
    'a vector that is none',
    [{ id: 'a', vector: 7 }],
    [valueError(vector, 'a vector is a list of numbers or base64 text')],
  ],
  [
    'text that is no base64',
    [{ id: 'a', vector: '!!' }],
    [valueError(vector, 'a vector as text must be base64 of little-endian 32-bit floats')],
  ],
  [
    'NaN and infinity in base64',
    [{ id: 'a', vector: float32(Number.NaN, 0, Number.POSITIVE_INFINITY) }],
    [0, 2].map((at) => valueError([...vector, at], 'every element must be a finite number')),
  ],
  [
    'more numbers than any index has',
    [{ id: 'a', vector: Array.from({ length: 4_097 }, () => 'x') }],
    [valueError(vector, 'a vector has at most 4096 numbers, not 4097')],
  ],
  [
    'an id twice in a batch',
    [
      { id: 'a', vector: [1, 0, 0] },
      { id: 'b', vector: [1, 0, 0] },
      { id: 'a', vector: [0, 1, 0] },
    ],
    [valueError(['body', 2, 'id'], 'the id is the same as that of item 0')],
  ],
  [
    'neither vector nor text, and a bad id',
    [{ id: '' }],
    [tooShort('body', 0, 'id'), valueError(['body', 0], 'an item needs a vector or a text')],
  ],
  [
    'what the index does not take besides what no index does',
    [
      { id: 'a', vector: [0, 0, 0] },
      { id: 'b', vector: [1, 2] },
      { id: '', vector: [1, 2, 3, 4] },
      { id: 'a', vector: 7 },
      7,
      { id: 'b', text: 'tea' },
    ],
    [
      tooShort('body', 2, 'id'),
      valueError(['body', 3, 'vector'], 'a vector is a list of numbers or base64 text'),
      [['body', 4], 'model_attributes_type', notObject[2]],
      valueError(vector, 'a zero vector has no direction under the cosine metric'),
      valueError(['body', 1, 'vector'], 'the index has 3 dimensions, this vector has 2'),
      valueError(['body', 2, 'vector'], 'the index has 3 dimensions, this vector has 4'),
      valueError(['body', 3, 'id'], 'the id is the same as that of item 0'),
      valueError(['body', 5, 'id'], 'the id is the same as that of item 1'),
    ],
  ],
  [
    'too many items, and a wrong length among the first of them',
    Array.from({ length: 1_200 }, (_, at) => ({ id: `v${at}`, vector: at === 7 || at > 1_000 ? [1] : [1, 0, 0] })),
    [
      [['body'], 'too_long', 'List should have at most 1000 items after validation, not 1200'],
      valueError(['body', 7, 'vector'], 'the index has 3 dimensions, this vector has 1'),
    ],
  ],
  ['an over-long id', [{ id: 'i'.repeat(513), vector: [1, 0, 0] }], [tooLong(['body', 0, 'id'], 512)]],
  ['an over-long text', [{ id: 'a', text: 'x'.repeat(32_769) }], [tooLong(['body', 0, 'text'], 32_768)]],
  [
    'metadata over 40 KB',
    [{ id: 'a', vector: [1, 0, 0], metadata: { big: 'é'.repeat(20_480) } }],
    [valueError(['body', 0, 'metadata'], 'metadata may have at most 40 KiB as JSON')],
  ],
  [
    'metadata with numbers that are none',
    '[{"id":"a","vector":[1,0,0],"metadata":{"a":1e400,"b":[{"c":-1e400}],"d":1e300}}]',
    ['a', 'b'].map((key) => valueError(['body', 0, 'metadata', key], 'every number must be finite as a 64-bit float')),
  ],
  [
    'metadata that is a list',
    [{ id: 'a', vector: [1, 0, 0], metadata: [] }],
    [[['body', 0, 'metadata'], 'dict_type', 'Input should be a valid dictionary']],
  ],
]);

const nested = (depth: number): object => (depth === 0 ? { a: 1 } : { $not: nested(depth - 1) });
const query = { vector: [1, 0, 0] };
const filter = ['body', 'filter'];

golden('filters', 'POST', `${index}/search/dense`, [
  ['no object', { ...query, filter: 7 }, [valueError(filter, 'a filter object is needed')]],
  [
    'unknown operators',
    { ...query, filter: { a: { $regex: 'x' }, $nor: [], b: { $eq: 1, $near: 2 } } },
    [
      valueError([...filter, 'a', '$regex'], "unknown operator '$regex'"),
      valueError([...filter, '$nor'], "unknown operator '$nor'"),
      valueError([...filter, 'b', '$near'], "unknown operator '$near'"),
    ],
  ],
  [
    'operands of wrong types',
    { ...query, filter: { a: { $gt: true, $in: 'x', $exists: 1, $eq: [1] }, b: [], c: {} } },
    [
      valueError(
        [...filter, 'a', '$gt'],
        'a finite number or a text of 1 to 100 characters is needed, without quotes, backslashes and control characters',
      ),
      valueError([...filter, 'a', '$in'], 'a list of strings, numbers, booleans, nulls or objects is needed'),
      valueError([...filter, 'a', '$exists'], 'a boolean is needed'),
      valueError([...filter, 'a', '$eq'], 'a string, a finite number, a boolean, null or an object is needed'),
      valueError([...filter, 'b'], 'a string, a finite number, a boolean, null or an object is needed'),
      valueError([...filter, 'c'], 'at least one operator is needed'),
    ],
  ],
  [
    'a key that is not filterable',
    { ...query, filter: { $or: [{ secret: 1 }, { 'secret.part': null }, { lang: 'en' }] } },
    ['secret', 'secret.part'].map((key) => valueError([...filter, key], `'${key}' is not filterable in this index`)),
  ],
  [
    'mistakes, a key that is not filterable and a vector of a wrong length',
    { vector: [1, 0], top_k: 0, filter: { secret: 'x', a: { $foo: 1 }, $or: [{ secret: 7 }, 7] } },
    [
      tooSmall(['body', 'top_k'], 1),
      valueError([...filter, 'a', '$foo'], "unknown operator '$foo'"),
      valueError([...filter, '$or', 1], 'a filter object is needed'),
      valueError(['body', 'vector'], 'the index has 3 dimensions, this vector has 2'),
      valueError([...filter, 'secret'], "'secret' is not filterable in this index"),
    ],
  ],
  [
    'too deep',
    { ...query, filter: nested(9) },
    [valueError([...filter, ...Array.from({ length: 9 }, () => '$not')], 'filters may be nested at most 8 deep')],
  ],
  [
    'far too deep',
    { ...query, filter: nested(1_000) },
    [badJson(JSON.stringify(query).length + 9 + 99 * 8, 'nested deeper than 100 levels')],
  ],
  [
    'too many conditions',
    { ...query, filter: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, 1])) },
    [valueError(filter, 'at most 64 conditions are allowed')],
  ],
]);

golden('measurements of recall', 'POST', `${index}/recall`, [
  [
    'too much of everything',
    { top_k: 101, queries: 0, seed: -1, vectors: [], filter: { a: { $near: 1 } } },
    [
      tooBig(['body', 'top_k'], 100),
      tooSmall(['body', 'queries'], 1),
      tooSmall(['body', 'seed'], 0),
      [['body', 'vectors'], 'too_short', 'List should have at least 1 item after validation, not 0'],
      valueError(['body', 'filter', 'a', '$near'], "unknown operator '$near'"),
    ],
  ],
]);

golden('measurements of recall on an index', 'POST', `${index}/recall`, [
  [
    'what it does not take besides what none does',
    { top_k: 0, vectors: [[1, 0, 0], [1]], filter: { secret: 1 } },
    [
      tooSmall(['body', 'top_k'], 1),
      valueError(['body', 'vectors', 1], 'the index has 3 dimensions, this vector has 1'),
      valueError([...filter, 'secret'], "'secret' is not filterable in this index"),
    ],
  ],
]);

const rounded = (digits: string): string =>
  `whole numbers beyond ±9007199254740991 are not kept exactly: write ${digits} as a string`;

golden('whole numbers of rows that would be rounded', 'POST', `${index}/vectors`, [
  [
    'at any depth, beside floats and large numbers of vectors',
    '[{"id":"a","vector":[10000000000000000000,0,1e20]},{"id":"b","vector":[1,2,3],"metadata":{"n":[{"m":-9007199254740992}],"f":1e20,"x":1746714878034235397}}]',
    [
      valueError(['body', 1, 'metadata', 'n', 0, 'm'], rounded('-9007199254740992')),
      valueError(['body', 1, 'metadata', 'x'], rounded('1746714878034235397')),
    ],
  ],
]);

golden('whole numbers of filters that would be rounded', 'POST', `${index}/vectors/count`, [
  [
    'in a list',
    '{"filter":{"n":{"$in":[1,1746714878034235397]}}}',
    [valueError(['body', 'filter', 'n', '$in', 1], rounded('1746714878034235397'))],
  ],
]);

golden('whole numbers of a change that would be rounded', 'POST', `${index}/vectors/update-by-filter`, [
  [
    'in the filter and in the metadata',
    '{"filter":{"n":1746714878034235396},"metadata":{"n":1746714878034235397}}',
    [
      valueError(['body', 'filter', 'n'], rounded('1746714878034235396')),
      valueError(['body', 'metadata', 'n'], rounded('1746714878034235397')),
    ],
  ],
]);

golden('whole numbers of the metadata of a file that would be rounded', 'POST', `${index}/files`, [
  [
    'as an id of its owner',
    '{"filename":"a.txt","content_type":"text/plain","metadata":{"owner":1746714878034235396}}',
    [valueError(['body', 'metadata', 'owner'], rounded('1746714878034235396'))],
  ],
]);

golden('updates', 'POST', `${index}/vectors/update`, [
  [
    'an id twice, and metadata that is none',
    [
      { id: 'a', metadata: {} },
      { id: 'a', metadata: 7 },
    ],
    [
      [['body', 1, 'metadata'], 'dict_type', 'Input should be a valid dictionary'],
      valueError(['body', 1, 'id'], 'the id is the same as that of item 0'),
    ],
  ],
]);

golden('searches by words', 'POST', `${index}/search/sparse`, [
  [
    'a key that is not filterable, and no text',
    { text: '', filter: { secret: 1 } },
    [tooShort('body', 'text'), valueError([...filter, 'secret'], "'secret' is not filterable in this index")],
  ],
]);

golden('searches', 'POST', `${index}/search/hybrid`, [
  [
    'an unknown method and a vector of a wrong length',
    { text: 'a', vector: [1], fusion: { method: 'sum' } },
    [
      [['body', 'fusion', 'method'], 'enum', "Input should be 'rrf' or 'weighted'"],
      valueError(['body', 'vector'], 'the index has 3 dimensions, this vector has 1'),
    ],
  ],
  ['no text', {}, [missing('body', 'text')]],
  ['an empty text', { text: '' }, [tooShort('body', 'text')]],
  ['top_k 0', { text: 'a', top_k: 0 }, [tooSmall(['body', 'top_k'], 1)]],
  ['top_k too big', { text: 'a', top_k: 1_001 }, [tooBig(['body', 'top_k'], 1_000)]],
  [
    'a zero vector',
    { text: 'a', vector: [0, 0, 0] },
    [valueError(['body', 'vector'], 'a zero vector has no direction under the cosine metric')],
  ],
  [
    'a bad fusion, and more',
    { text: 7, exact: 'no', include: ['text', 'all'], fusion: { method: 'max', k: 0, dense_weight: 2 } },
    [
      notString('body', 'text'),
      [['body', 'fusion', 'method'], 'enum', "Input should be 'rrf' or 'weighted'"],
      tooSmall(['body', 'fusion', 'k'], 1),
      tooBig(['body', 'fusion', 'dense_weight'], 1),
      [
        ['body', 'include', 1],
        'enum',
        "Input should be 'text', 'metadata', 'vector', 'scores', 'explanation', 'usage' or 'citation'",
      ],
      [['body', 'exact'], 'bool_type', 'Input should be a valid boolean'],
    ],
  ],
]);

golden('a dense search without text and vector', 'POST', `${index}/search/dense`, [
  ['and a bad top_k', { top_k: 0 }, [tooSmall(['body', 'top_k'], 1), valueError(['body'], 'give a text or a vector')]],
]);

const everything = valueError(['body', 'filter'], 'every row matches this filter: a condition is needed');

golden('what is to be deleted', 'POST', `${index}/vectors/delete`, [
  ['neither', {}, [valueError(['body'], 'give either ids, filter or all')]],
  ['both', { ids: ['a'], filter: { a: 1 } }, [valueError(['body'], 'give either ids, filter or all')]],
  ['all and ids', { ids: ['a'], all: true }, [valueError(['body'], 'give either ids, filter or all')]],
  ['everything', { filter: {} }, [everything]],
  ['everything, in other words', { filter: { $or: [{ a: 1 }, { $and: [{}] }] } }, [everything]],
  [
    'everything that has a key that is not filterable, and no ids',
    { ids: [], filter: { secret: { $nin: [] } } },
    [
      [['body', 'ids'], 'too_short', 'List should have at least 1 item after validation, not 0'],
      valueError(['body'], 'give either ids, filter or all'),
      valueError([...filter, 'secret'], "'secret' is not filterable in this index"),
      everything,
    ],
  ],
  ['no ids', { ids: [] }, [[['body', 'ids'], 'too_short', 'List should have at least 1 item after validation, not 0']]],
]);

const hinted = ([loc, type, msg]: Problem, ...hints: readonly string[]): Problem => [
  loc,
  type,
  [msg, ...hints].join('; '),
];
const notList: Problem = [['body'], 'list_type', 'Input should be a valid list'];
const noVector = (at: number) => valueError(['body', at], 'an item needs a vector or a text');
const row = '{"id": …, "vector": …, "text": …, "metadata": …, "if_version": …, "expires_at": …, "ttl_seconds": …}';

golden('upserts as other vector stores take them', 'POST', `${index}/vectors`, [
  [
    'Pinecone',
    { vectors: [{ id: 'a', values: [1, 0, 0], sparseValues: {} }], namespace: 'n' },
    [
      hinted(
        notList,
        'send the list of `vectors` itself',
        '`values` is `vector` here',
        'sparse search takes words as `text`',
      ),
    ],
  ],
  [
    'Qdrant',
    { points: [{ id: 'a', vector: [1, 0, 0], payload: {} }] },
    [hinted(notList, 'send the list of `points` itself', '`payload` is `metadata` here')],
  ],
  [
    'Chroma',
    { ids: ['a'], embeddings: [[1, 0, 0]], metadatas: [{}] },
    [hinted(notList, `send a list with an object for each row: [${row}, …]`)],
  ],
  [
    'turbopuffer',
    { upsert_rows: [{ id: 'a', vector: [1, 0, 0] }] },
    [hinted(notList, 'send the list of `upsert_rows` itself')],
  ],
  ['one row', { id: 'a', vector: [1, 0, 0] }, [hinted(notList, 'send a list, even of one row')]],
  [
    'rows with other names',
    [
      { id: 'a', values: [1, 0, 0] },
      { _id: 'b', content: 'tea' },
      { id: 'c', unknown: 1 },
    ],
    [
      hinted(extra('body', 0, 'values'), '`values` is `vector` here'),
      noVector(0),
      hinted(missing('body', 1, 'id'), '`_id` is `id` here'),
      hinted(extra('body', 1, '_id'), '`_id` is `id` here'),
      hinted(extra('body', 1, 'content'), '`content` is `text` here'),
      noVector(1),
      extra('body', 2, 'unknown'),
      noVector(2),
    ],
  ],
]);

golden('searches as other vector stores take them', 'POST', `${index}/search/dense`, [
  [
    'Pinecone',
    { vector: [1, 0, 0], topK: 3, includeMetadata: true, namespace: 'n' },
    [
      hinted(extra('body', 'topK'), '`topK` is `top_k` here'),
      hinted(extra('body', 'includeMetadata'), '`includeMetadata` is `include` here'),
      hinted(extra('body', 'namespace'), 'instead of a namespace use an index, or a key of the metadata with a filter'),
    ],
  ],
  [
    'Qdrant',
    { query: [1, 0, 0], limit: 3, with_payload: true, other: 1 },
    [
      hinted(extra('body', 'query'), '`query` is `vector` here'),
      hinted(extra('body', 'limit'), '`limit` is `top_k` here'),
      hinted(extra('body', 'with_payload'), '`with_payload` is `include` here'),
      extra('body', 'other'),
      valueError(['body'], 'give a text or a vector'),
    ],
  ],
]);

golden('searches by words as other vector stores take them', 'POST', `${index}/search/sparse`, [
  [
    'Chroma',
    { query_texts: ['tea'], n_results: 3, where: {} },
    [
      hinted(extra('body', 'query_texts'), '`query_texts` is `text` here'),
      hinted(extra('body', 'n_results'), '`n_results` is `top_k` here'),
      hinted(extra('body', 'where'), '`where` is `filter` here'),
      hinted(missing('body', 'text'), '`query_texts` is `text` here'),
    ],
  ],
]);

golden('deletions as other vector stores take them', 'POST', `${index}/vectors/delete`, [
  [
    'Pinecone',
    { deleteAll: true, ids: ['a'] },
    [hinted(extra('body', 'deleteAll'), 'delete the index, or the rows that match a filter')],
  ],
]);

test('a request to a missing index gets its validation problems first, without those that depend on the index', async () => {
  for (const id of [foreign.indexId, 'idx_00000000000000000000000000']) {
    const url = `/v1/indexes/${id}/search/dense`;
    await assertProblems('POST', url, { vector: [1], top_k: 0 }, [tooSmall(['body', 'top_k'], 1)]);
    assertRefused(await request('POST', url, { vector: [1] }), 404, 'not_found');
  }
});

const filename = ['body', 'filename'];
const file = (changed: object): object => ({ filename: 'a.txt', content_type: 'text/plain', ...changed });
const outside = valueError(filename, 'a file name may not point to another folder');
const unseen = valueError(filename, 'a file name may not contain control or direction characters');
const notChecksum = valueError(
  ['body', 'checksum_sha256'],
  'a SHA-256 checksum has 64 hexadecimal digits, or 44 characters of base64',
);

const notType = valueError(['body', 'content_type'], 'a content type has the form type/subtype');
const badChunkSize = valueError(['body', 'metadata'], "The job's chunk_size must be a whole number from 200 to 8000");
const badOverlap = valueError(['body', 'metadata'], "The job's chunk_overlap must be a whole number from 0 to 3999");

golden('files', 'POST', `${index}/files`, [
  ['an empty name', file({ filename: '' }), [tooShort(...filename)]],
  ['an over-long name', file({ filename: 'a'.repeat(256) }), [tooLong(filename, 255)]],
  ['a name with ../', file({ filename: '../a.txt' }), [outside]],
  ['a name with ..\\', file({ filename: 'b\\..\\a.txt' }), [outside]],
  ['a name that is ..', file({ filename: '..' }), [outside]],
  ['control characters', file({ filename: 'a\u0000.txt' }), [unseen]],
  ['a line break', file({ filename: 'a\r\nb.txt' }), [unseen]],
  ['direction characters', file({ filename: 'a\u202Etxt.exe' }), [unseen]],
  ['a short checksum', file({ checksum_sha256: 'abc' }), [notChecksum]],
  ['a long checksum', file({ checksum_sha256: 'a'.repeat(65) }), [notChecksum]],
  ['an empty checksum', file({ checksum_sha256: '' }), [notChecksum]],
  ['a line break in the type', file({ content_type: 'text/plain;\r\n x=1' }), [notType]],
  ['a type that no header can hold', file({ content_type: 'text/plain; a="日本"' }), [notType]],
  ['both options of chunks', file({ metadata: { chunk_size: 1, chunk_overlap: -1 } }), [badChunkSize, badOverlap]],
  [
    'keys of metadata that are empty or over-long',
    file({ metadata: { '': 1, ['k'.repeat(256)]: 2 } }),
    [tooShort('body', 'metadata', '', '[key]'), tooLong(['body', 'metadata', 'k'.repeat(256), '[key]'], 255)],
  ],
  [
    'all at once',
    { filename: '', content_type: '', checksum_sha256: 7 },
    [tooShort(...filename), tooShort('body', 'content_type'), notString('body', 'checksum_sha256')],
  ],
]);

golden('imports', 'POST', `${index}/imports`, [
  ['an empty address', { provider: 'gcs', uri: '' }, [tooShort('body', 'uri')]],
  [
    'an empty signature',
    { provider: 'azure_blob', uri: 'https://theirs.blob.core.windows.net/files/a.txt', credentials: { sas_token: '' } },
    [tooShort('body', 'credentials', 'sas_token')],
  ],
  [
    'an option of chunks and an address',
    { provider: 'gcs', uri: 'https://theirs/a.txt', metadata: { chunk_size: 1 } },
    [valueError(['body', 'uri'], 'the address must have the form gs://BUCKET/KEY'), badChunkSize],
  ],
  [
    'the short name of a bucket',
    { provider: 'aws_s3', uri: 's3://b/docs/x.csv' },
    [
      valueError(
        ['body', 'uri'],
        'the name of the bucket must have from 3 to 255 letters, digits, hyphens, underscores and single dots, begin and end with a letter or digit, and be no IP address',
      ),
    ],
  ],
]);

golden('an import with two kinds of credentials', 'POST', `${index}/imports`, [
  [
    'both',
    {
      provider: 'azure_blob',
      uri: 'https://theirs.blob.core.windows.net/files/a.txt',
      credentials: { sas_token: 'sig=a' },
      stored_credentials: 'documents',
    },
    [valueError(['body', 'stored_credentials'], 'give either credentials or the name of stored ones')],
  ],
]);

golden('a custom API', 'POST', `${index}/connectors/custom-api`, [
  [
    'a pointer that is none',
    {
      name: 'articles',
      base_url: 'https://example.com',
      auth: { type: 'none' },
      list: { path: '/articles', items: 'items' },
      item: { id: '/id', title: '/title', text: '/text' },
    },
    [valueError(['body', 'list', 'items'], 'the value must be a JSON Pointer such as /data/items')],
  ],
]);

const url = ['body', 'url'];
const hidden = valueError(url, 'the address must be public');

golden('crawls', 'POST', `${index}/crawl-jobs`, [
  [
    'a header of connections, and one with a line break',
    { url: 'https://example.com/', headers: { Host: 'example.com', b: '1\r\nc: 2' } },
    [
      valueError(['body', 'headers', 'Host', '[key]'], 'this header is set by the service'),
      [
        ['body', 'headers', 'b'],
        'string_pattern_mismatch',
        "String should match pattern '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$'",
      ],
    ],
  ],
  [
    'a header of the crawler, and one that is given twice',
    { url: 'https://example.com/', headers: { 'User-Agent': 'me', a: '1', A: '2' } },
    [
      valueError(['body', 'headers', 'User-Agent'], 'this header is set by the crawler'),
      valueError(['body', 'headers', 'A'], 'this header is given twice'),
    ],
  ],
  ['no address', {}, [missing(...url)]],
  ['an empty address', { url: '' }, [tooShort(...url)]],
  ['no URL', { url: 'example' }, [valueError(url, 'the address must be an absolute URL')]],
  [
    'another scheme',
    { url: 'ftp://example.com/' },
    [valueError(url, 'the address must begin with http:// or https://')],
  ],
  ['a file', { url: 'file:///etc/passwd' }, [valueError(url, 'the address must be an absolute URL')]],
  [
    'user info',
    { url: 'https://user:pass@example.com/' },
    [valueError(url, 'the address must not contain a user name or password')],
  ],
  ...['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]', '[fd00:ec2::254]', '0x7f.1', '2130706433'].map(
    (host): Case => [host, { url: `http://${host}/` }, [hidden]],
  ),
  [
    'bounds',
    { url: 'https://example.com/', page_limit: 0, max_depth: -1 },
    [tooSmall(['body', 'page_limit'], 1), tooSmall(['body', 'max_depth'], 0)],
  ],
]);

const expiry = ['body', 'expires_at'];
const noSuchIndex = 'there is no such index';

/** Texts that are not timestamps, each with its problem. */
const noTimes = [
  ['soon', 'input is too short'],
  ['in an hour', 'invalid character in year'],
  ['20990101T000000Z', 'invalid date separator, expected `-`'],
  ['2099-13-01T00:00:00Z', 'month value is outside expected range of 1-12'],
  ['2099-02-29T00:00:00', 'day value is outside expected range'],
  ['2099-01-01_00:00:00Z', 'invalid datetime separator, expected `T`, `t` or space'],
  ['2099-01-01T00Z', 'input is too short'],
  ['2099-01-01T000000Z', 'invalid time separator, expected `:`'],
  ['2099-01-01T24:00:00Z', 'hour value is outside expected range of 0-23'],
  ['2099-01-01T00:60:00Z', 'minute value is outside expected range of 0-59'],
  ['2099-01-01T00:00:60Z', 'second value is outside expected range of 0-59'],
  ['2099-01-01T00:00:00+0200', 'unexpected extra characters at the end of the input'],
  ['2099-01-01T00:00:00Z or later', 'unexpected extra characters at the end of the input'],
] as const;

const boundFilter = ['body', 'filter'];
const boundPrefix = ['body', 'id_prefix'];

golden('keys', 'POST', '/v1/api-keys', [
  [
    'a filter with write and without a prefix of ids',
    { name: 'k', filter: { tenant: 'a' } },
    [valueError(boundPrefix, 'a credential with a filter and the permission write needs an id_prefix')],
  ],
  [
    'a prefix of ids without a filter',
    { name: 'k', id_prefix: 'a:' },
    [valueError(boundPrefix, 'an id_prefix needs a filter')],
  ],
  [
    'a filter that every row matches',
    { name: 'k', permissions: ['read'], filter: {} },
    [valueError(boundFilter, 'every row matches this filter: a condition is needed')],
  ],
  [
    'a filter by a key that an index hides',
    { name: 'k', permissions: ['read'], index_ids: [place.indexId], filter: { secret: { $ne: 'a' } } },
    [valueError(boundFilter, "'secret' is not filterable in one of the indexes")],
  ],
  [
    'a filter by a path with a prefix of ids',
    { name: 'k', filter: { 'author.name': 'a' }, id_prefix: 'a:' },
    [valueError(boundFilter, "with an id_prefix, 'author.name' may not be a path: use a key of the metadata")],
  ],
  [
    'a filter that is too long for a credential',
    { name: 'k', permissions: ['read'], filter: { tenant: 'a'.repeat(3_000) } },
    [valueError(boundFilter, 'the filter of a credential may have at most 2048 bytes as JSON')],
  ],
  [
    'an expiry in the past',
    { name: 'k', expires_at: '2020-01-01T00:00:00Z' },
    [valueError(expiry, 'the expiry must be in the future')],
  ],
  [
    'an expiry whose year in UTC has more than four digits',
    { name: 'k', expires_at: '9999-12-31T23:59:59-01:00' },
    [valueError(expiry, 'the expiry must be before the year 10000 in UTC')],
  ],
  ...['2099-01-01T00:00:00', '2099-01-01 00:00', '2099-01-01'].map((text): Case => [
    `an expiry without a time zone, ${text}`,
    { name: 'k', expires_at: text },
    [[expiry, 'timezone_aware', 'Input should have timezone info']],
  ]),
  ...noTimes.map(([text, reason]): Case => [
    `an expiry that is no time, ${text}`,
    { name: 'k', expires_at: text },
    [[expiry, 'datetime_from_date_parsing', `Input should be a valid datetime or date, ${reason}`]],
  ]),
  [
    'unknown permissions',
    { name: 'k', permissions: ['read', 'admin'] },
    [[['body', 'permissions', 1], 'enum', "Input should be 'read' or 'write'"]],
  ],
  [
    'values of another type, which have no limit of length',
    { name: { length: 300 }, permissions: '', index_ids: 'idx' },
    [
      [name, 'string_type', 'Input should be a valid string'],
      [['body', 'permissions'], 'list_type', 'Input should be a valid list'],
      [['body', 'index_ids'], 'list_type', 'Input should be a valid list'],
    ],
  ],
  [
    'no permissions and no indexes',
    { name: 'k', permissions: [], index_ids: [] },
    [
      [['body', 'permissions'], 'too_short', 'List should have at least 1 item after validation, not 0'],
      [['body', 'index_ids'], 'too_short', 'List should have at least 1 item after validation, not 0'],
    ],
  ],
  [
    'indexes of others, and unknown indexes',
    { name: 'k', index_ids: [place.indexId, foreign.indexId, 'idx_00000000000000000000000000', ''] },
    [1, 2, 3].map((at) => valueError(['body', 'index_ids', at], noSuchIndex)),
  ],
  [
    'an expiry in the past and indexes of others besides others',
    { permissions: [], index_ids: [foreign.indexId], expires_at: '2020-01-01T00:00:00Z' },
    [
      missing(...name),
      [['body', 'permissions'], 'too_short', 'List should have at least 1 item after validation, not 0'],
      valueError(['body', 'index_ids', 0], noSuchIndex),
      valueError(expiry, 'the expiry must be in the future'),
    ],
  ],
]);

golden('OAuth clients', 'POST', '/v1/oauth/clients', [
  [
    'indexes of others besides others',
    { index_ids: [foreign.indexId] },
    [missing(...name), valueError(['body', 'index_ids', 0], noSuchIndex)],
  ],
]);

golden('onboarding', 'POST', '/v1/onboarding/complete', [
  [
    'an unknown region besides others',
    { organization_name: 'Acme', use_case: '', default_region: 'mars-1' },
    [
      tooShort('body', 'use_case'),
      missing('body', 'expected_vectors'),
      [['body', 'default_region'], 'enum', "Input should be 'us-east-1'"],
    ],
  ],
]);

test('a list of vectors by filter returns the matching rows page by page, and refuses an invalid filter', async () => {
  const other = await newTenant(service, send);
  const path = `/v1/indexes/${other.indexId}/vectors`;
  const call = (method: string, url: string, body?: unknown) =>
    send({
      method,
      url,
      headers: headersOf(other.owner.bearer, body === undefined ? null : 'application/json'),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const rows = Array.from({ length: 9 }, (_, at) => ({
    id: `r${at}`,
    vector: [1, 0, at],
    metadata: { odd: at % 2 === 1, at, day: `2026-01-0${at}` },
  }));
  assert.equal((await call('POST', path, rows)).status, 200);
  const filter = encodeURIComponent('{"odd":true,"day":{"$gte":"2026-01-03"}}');
  const pages: (readonly string[])[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = await call('GET', `${path}?limit=2&filter=${filter}${cursor && `&cursor=${cursor}`}`);
    assert.equal(page.status, 200, page.text);
    pages.push((JSON.parse(page.text) as { id: string }[]).map(({ id }) => id));
    cursor = page.headers['x-next-cursor'];
  }
  assert.deepEqual(pages, [['r3', 'r5'], ['r7']]);
  const place = ['query', 'filter'];
  const invalid: readonly (readonly [string, Problem])[] = [
    ['', valueError(place, 'a filter as JSON is needed')],
    ['{"odd":', valueError(place, 'a filter as JSON is needed')],
    ['7', valueError(place, 'a filter object is needed')],
    ['{"a":1,"a":2}', valueError(place, 'repeated key')],
    ['{"__proto__":1}', valueError(place, "the key '__proto__' is not allowed")],
    ['{"at":{"$near":2}}', valueError([...place, 'at', '$near'], "unknown operator '$near'")],
    ['{"n":1746714878034235397}', valueError([...place, 'n'], rounded('1746714878034235397'))],
    ['{"secret":1}', valueError([...place, 'secret'], "'secret' is not filterable in this index")],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, 1]))),
      valueError(place, 'at most 64 conditions are allowed'),
    ],
  ];
  for (const [text, [loc, type, msg]] of invalid) {
    const answer = await call('GET', `${path}?filter=${encodeURIComponent(text)}`);
    assert.deepEqual([answer.status, parsed(answer).detail], [422, [{ loc, msg, type }]], text);
  }
});

test('422: an invalid page request', async (context) => {
  const noInteger = ['int_parsing', 'Input should be a valid integer, unable to parse string as an integer'] as const;
  const events = '/v1/organization/webhooks/events';
  const limit = ['query', 'limit'];
  const cases: readonly (readonly [string, readonly Problem[]])[] = [
    ['limit=0', [tooSmall(limit, 1)]],
    ['limit=101', [tooBig(limit, 100)]],
    ['limit=x', [[limit, ...noInteger]]],
    ['limit=', [[limit, ...noInteger]]],
    ['limit=1.5', [[limit, ...noInteger]]],
    ['limit=1&limit=2', [[limit, ...noInteger]]],
    ['limit=99999999999999999999', [tooBig(limit, 100)]],
    ['offset=-1', [tooSmall(['query', 'offset'], 0)]],
    ...['9007199254740992', '9007199254740993', `1${'0'.repeat(299)}`].map(
      (offset) => [`offset=${offset}`, [tooBig(['query', 'offset'], Number.MAX_SAFE_INTEGER)]] as const,
    ),
    ['limit=x&offset=-1', [[limit, ...noInteger], tooSmall(['query', 'offset'], 0)]],
    ['status=lost', [[['query', 'status'], 'enum', "Input should be 'recorded', 'dispatched' or 'failed'"]]],
  ];
  for (const [text, problems] of cases)
    await context.test(text, () => assertProblems('GET', `${events}?${text}`, undefined, problems));
  for (const cursor of ['', 'x', '!!', 'aWR4==', '_w', 'A'.repeat(2_900)])
    await assertProblems('GET', `/v1/indexes?limit=1&cursor=${encodeURIComponent(cursor)}`, undefined, [
      valueError(['query', 'cursor'], 'this is not a cursor of an earlier response'),
    ]);
  for (const key of ['idx', 'a', 'zzz', '\u0000', '#'.repeat(2_048)]) {
    const cursor = Buffer.from(key).toString('base64url');
    for (const list of [
      '/v1/indexes',
      '/v1/api-keys',
      `${index}/files`,
      `${index}/vectors`,
      '/v1/organization/members',
    ]) {
      const answer = await request('GET', `${list}?limit=1&cursor=${cursor}`);
      assert.ok(answer.status < 500, `${list} from ${key.slice(0, 9)}: ${answer.text}`);
      assertDocumented('GET', list, answer);
    }
  }
  const endpoints = '/v1/organization/webhooks/endpoints';
  const receiver = await request('POST', endpoints, { url: 'https://example.com' });
  const deliveries = `${endpoints}/${parsed(receiver).id}/deliveries`;
  const ulid = '0'.repeat(26);
  const keys = {
    '/v1/indexes': `idx_${ulid}`,
    '/v1/api-keys': `key_${ulid}`,
    '/v1/oauth/clients': `oc_${ulid}`,
    '/v1/organizations': `2026-01-01T00:00:00.000Z org_${ulid}`,
    '/v1/organization/members': `2026-01-01T00:00:00.000Z usr_${ulid}`,
    '/v1/organization/invitations': `2026-01-01T00:00:00.000Z inv_${ulid}`,
    '/v1/organization/webhooks/endpoints': `we_${ulid}`,
    [`${index}/files`]: `job_${ulid}`,
    [`${index}/crawl-jobs`]: `crawl_${ulid}`,
    [deliveries]: `dlv_${ulid}`,
  };
  for (const list of Object.keys(keys))
    for (const [other, key] of Object.entries(keys)) {
      const answer = await request('GET', `${list}?cursor=${Buffer.from(key).toString('base64url')}`);
      assert.equal(answer.status, other === list ? 200 : 422, `${list} from a cursor of ${other}: ${answer.text}`);
    }
  await assertProblems('GET', `/v1/indexes?cursor=${'A'.repeat(3_001)}`, undefined, [
    tooLong(['query', 'cursor'], 3_000),
    valueError(['query', 'cursor'], 'this is not a cursor of an earlier response'),
  ]);
});

test('422: an invalid Idempotency-Key', async () => {
  const msg = 'An Idempotency-Key has 1 to 255 visible ASCII characters';
  const badKey = { loc: ['header', 'idempotency-key'], msg, type: 'value_error' };
  const noName = { loc: name, msg: 'Field required', type: 'missing' };
  for (const [body, detail] of [
    [{ name: 'a' }, [badKey]],
    [{}, [noName, badKey]],
  ] as const) {
    const answer = await request('POST', '/v1/indexes', body, { 'idempotency-key': 'a b' });
    assert.deepEqual([answer.status, parsed(answer)], [422, { detail }]);
  }
});

test('422: many problems, long names and deep nesting still fit the payload limit', async () => {
  const items = Array.from({ length: 900 }, (_, at) => ({
    id: `v${at}`,
    vector: Array.from({ length: 400 }, () => 'x'),
  }));
  const answer = await request('POST', `${index}/vectors`, items);
  assert.deepEqual([answer.status, parsed(answer).detail.length], [422, 1_000]);
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, 0]));
  const unknown = await request('POST', `${index}/vectors/update`, Array(40).fill(fields));
  assert.deepEqual([unknown.status, parsed(unknown).detail.length], [422, 1_000]);
  const repeated = await request('POST', '/v1/indexes', `{${Array(9_000).fill('"a":0').join()}}`);
  assert.deepEqual([repeated.status, parsed(repeated).detail.length], [422, 1_000]);
  const key = 'k'.repeat(1_000_000);
  const filtered = await request('POST', `${index}/search/dense`, { ...query, filter: { [`$${key}`]: 1 } });
  assert.equal(filtered.status, 422);
  assert.ok(filtered.text.length < 2_000);
  const deep = await request('POST', `${index}/vectors`, `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
  const [problem] = parsed(deep).detail;
  assert.deepEqual(
    [deep.status, problem.loc, problem.msg],
    [422, ['body', 100], 'Invalid JSON: nested deeper than 100 levels at line 1 column 101'],
  );
});

test('415: a body that is not JSON', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    '',
  ]) {
    const answer = await request('POST', '/v1/indexes', 'name=x', { 'content-type': type });
    assertRefused(answer, 415, 'unsupported_media_type');
    assertDocumented('POST', '/v1/indexes', answer);
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON ; charset=UTF-8', 'application/a.b+json']) {
    const json = await request('POST', '/v1/indexes', '{"name":"x"}', { 'content-type': type });
    assert.equal(json.status, 201, json.text);
  }
  for (const [encoding, status] of [
    ['identity', 201],
    ['gzip', 415],
  ] as const) {
    const packed = await request('POST', '/v1/indexes', '{"name":"x"}', { 'content-encoding': encoding });
    assert.equal(packed.status, status, packed.text);
    assertDocumented('POST', '/v1/indexes', packed);
  }
});

describe('a body of megabytes with a list that is too long', () => {
  const many = (part: string, count: number): string => `[${Array.from({ length: count }, () => part).join()}]`;
  const lengthy = (loc: Loc, most: number, count: number): Problem => [
    loc,
    'too_long',
    `List should have at most ${most} items after validation, not ${count}`,
  ];
  const bodies: readonly (readonly [what: string, url: string, body: string, problems: readonly Problem[]])[] = [
    [
      'permissions',
      '/v1/api-keys',
      `{"name":"a","permissions":${many('"none"', 60_000)}}`,
      [lengthy(['body', 'permissions'], 100, 60_000)],
    ],
    [
      'numbers of metadata',
      `${index}/vectors`,
      `[{"id":"x","vector":[1,2,3],"metadata":{"a":${many('1e999', 200_000)}}}]`,
      [valueError(['body', 0, 'metadata', 'a'], 'every number must be finite as a 64-bit float')],
    ],
    [
      'a content type',
      `${index}/files`,
      JSON.stringify({ filename: 'a', content_type: `a/a${';a=a'.repeat(100_000)}` }),
      [tooLong(['body', 'content_type'], 255)],
    ],
    ['ids', `${index}/vectors/fetch`, `{"ids":${many('1', 200_000)}}`, [lengthy(['body', 'ids'], 1_000, 200_000)]],
    [
      'values of a filter',
      `${index}/search/dense`,
      `{"vector":[1,2,3],"filter":{"a":{"$in":${many('[]', 90_000)}}}}`,
      [valueError(['body', 'filter'], 'at most 1000 listed values are allowed')],
    ],
  ];
  for (const [what, url, body, problems] of bodies)
    test(what, async () => {
      const answer = await request('POST', url, body);
      assert.equal(answer.status, 422, answer.text.slice(0, 500));
      const told = parsed(answer).detail.map((problem: Body): Problem => [problem.loc, problem.type, problem.msg]);
      assert.deepEqual(told, problems);
      assertDocumented('POST', url, answer);
    });

  test('the body of a form is limited and parsed', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await request('POST', '/v1/oauth/token', 'a&'.repeat(1_000_000), form);
    assertRefused(answer, 413, 'payload_too_large');
    assertDocumented('POST', '/v1/oauth/token', answer);
  });
});

test('413: a body over the size', async () => {
  for (const [url, bytes] of [
    ['/v1/indexes', 512 * 1024],
    [`${index}/vectors`, 5 * 1024 * 1024],
  ] as const) {
    const bodyOf = (size: number): string => JSON.stringify({ name: 'a'.repeat(size - '{"name":""}'.length) });
    const answer = await request('POST', url, bodyOf(bytes + 1));
    assertRefused(answer, 413, 'payload_too_large');
    assertDocumented('POST', url, answer);
    assert.equal((await request('POST', url, bodyOf(bytes))).status, 422);
  }
  assert.equal((await request('POST', '/v1/indexes', ' '.repeat(11 * 1024 * 1024))).status, 413);
  const many = await request('POST', '/v1/indexes', `[${'{},'.repeat(100_000)}{}]`);
  assertRefused(many, 413, 'payload_too_large');
});

/** Returns all pages of a list. */
const listWhole = async (url: string) => {
  const listed: { readonly id: string; readonly vector?: readonly number[] }[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const answer = await request('GET', `${url}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    listed.push(...parsed(answer));
    cursor = answer.headers['x-next-cursor'] ?? null;
  }
  return { listed, pages };
};

test('413: a response above the payload limit, while a list returns fewer rows per page', async () => {
  const { owner } = place;
  const large = `/v1/indexes/${await newIndex(send, owner.bearer, 'large rows')}`;
  const rows = Array.from({ length: 200 }, (_, at) => ({
    id: `row-${String(at).padStart(3, '0')}`,
    vector: [1, at, 0],
    metadata: { note: '"'.repeat(19_000) },
  }));
  for (let from = 0; from < rows.length; from += 100)
    await ask(send, bearer, 'POST', `${large}/vectors`, rows.slice(from, from + 100));
  const ids = rows.map(({ id }) => id);
  for (const [url, body] of [
    [`${large}/vectors/fetch`, { ids }],
    [`${large}/search/dense`, { vector: [1, 1, 1], top_k: 200, include: ['metadata'] }],
  ] as const) {
    const answer = await request('POST', url, body);
    assertRefused(answer, 413, 'payload_too_large');
    assertDocumented('POST', url, answer);
  }
  assert.equal(parsed(await request('POST', `${large}/vectors/fetch`, { ids: ids.slice(0, 50) })).vectors.length, 50);
  const { listed, pages } = await listWhole(`${large}/vectors?limit=1000`);
  assert.deepEqual(
    listed.map(({ id }) => id),
    ids,
  );
  assert.ok(pages > 1);
});

test('a list with vectors returns every number of every row on as many pages as necessary', async () => {
  const { id } = await ask(send, bearer, 'POST', '/v1/indexes', { name: 'widest', dimensions: 4_096 });
  const rows = Array.from({ length: 130 }, (_, at) => ({
    id: `row-${String(at).padStart(3, '0')}`,
    vector: Array.from({ length: 4_096 }, (__, place) => Math.fround(Math.sin(at * 4_096 + place))),
  }));
  for (let from = 0; from < rows.length; from += 50)
    await ask(send, bearer, 'POST', `/v1/indexes/${id}/vectors`, rows.slice(from, from + 50));
  const { listed, pages } = await listWhole(`/v1/indexes/${id}/vectors?limit=1000&include_vectors=true`);
  assert.deepEqual(
    listed.map((row) => ({ id: row.id, vector: row.vector })),
    rows,
  );
  assert.ok(pages > 1);
});

test('the texts of one upsert are embedded in as many calls as their vectors require', async () => {
  const wide = await ask(send, bearer, 'POST', '/v1/indexes', { name: 'wide', dimensions: 4_096 });
  // One call has room for 192 such vectors. The model reads each different text of a call once.
  const items = Array.from({ length: 200 }, (_, at) => ({ id: `t${at}`, text: at < 199 ? `note ${at % 8}` : 'tea' }));
  const { upserted } = await ask(send, bearer, 'POST', `/v1/indexes/${wide.id}/vectors`, items);
  assert.equal(upserted, 200);
  const firstFor = async (text: string): Promise<string> =>
    (await ask(send, bearer, 'POST', `/v1/indexes/${wide.id}/search/dense`, { text })).results[0].id;
  assert.equal(await firstFor('tea'), 't199');
  assert.equal(Number((await firstFor('note 3')).slice(1)) % 8, 3);
});

const events = '/v1/organization/webhooks/events';
const from = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

golden('an update of everything by filter', 'POST', `${index}/vectors/update-by-filter`, [
  ['by a filter without a condition', { filter: { $or: [{}] }, metadata: {} }, [everything]],
]);

golden('a metadata key of which no filter knows', 'POST', `${index}/metadata/values`, [
  [
    'that is not filterable',
    { key: 'secret' },
    [valueError(['body', 'key'], "'secret' is not filterable in this index")],
  ],
  ['and a cursor of another list', { key: 'a', cursor: '!' }, [valueError(['body', 'cursor'], 'this is not a cursor')]],
]);

const consent = {
  response_type: 'code',
  client_id: 'strata-cli',
  redirect_uri: 'http://127.0.0.1/callback',
  permissions: ['read'],
};
const azureUri = 'https://acme.blob.core.windows.net/docs/a.pdf';
const wiki = { provider: 'notion', credentials: { token: 'a' } };
const articles = {
  name: 'articles',
  base_url: 'https://example.com',
  auth: { type: 'none' },
  list: { path: '/', items: '' },
  item: { id: '/id', text: '/text' },
};

/** Bodies that are valid except for one unknown field, with its path. */
const extended: readonly (readonly [method: string, url: string, body: object, ...unknown: Loc])[] = [
  ['POST', `${index}/search/dense`, { text: 'a', filters: { topic: 'tea' } }, 'filters'],
  ['POST', `${index}/search/sparse`, { text: 'a', topK: 1 }, 'topK'],
  ['POST', `${index}/search/hybrid`, { text: 'a', limit: 1 }, 'limit'],
  ['POST', `${index}/search/hybrid`, { text: 'a', fusion: { weight: 1 } }, 'fusion', 'weight'],
  ['POST', `${index}/search/batch`, { searches: [{ mode: 'sparse', text: 'a' }], parallel: 1 }, 'parallel'],
  ['POST', `${index}/recall`, { filters: {} }, 'filters'],
  ['POST', `${index}/vectors/count`, { filters: {} }, 'filters'],
  ['POST', `${index}/metadata/describe`, { key: 'a' }, 'key'],
  ['POST', `${index}/metadata/values`, { key: 'a', filters: {} }, 'filters'],
  ['POST', `${index}/vectors/update-by-filter`, { filter: { a: 1 }, metadata: {}, ids: ['a'] }, 'ids'],
  ['POST', `${index}/vectors/fetch`, { ids: ['a'], include_vector: false }, 'include_vector'],
  ['POST', `${index}/vectors/update`, [{ id: 'a', metadata: {}, if_versions: null }], 0, 'if_versions'],
  ['POST', `${index}/vectors/delete`, { ids: ['a'], namespace: 'x' }, 'namespace'],
  ['PATCH', index, { name: 'a', description: 'x' }, 'description'],
  ['POST', `${index}/promote`, { parent_change: 'discard' }, 'parent_change'],
  ['PUT', `${index}/connectors/conn_${'0'.repeat(26)}/scope`, { folder: ['a'] }, 'folder'],
  ['PATCH', `/v1/organization/members/${place.owner.userId}`, { role: 'owner', email: 'a' }, 'email'],
  ['PATCH', `/v1/organization/webhooks/endpoints/we_${'0'.repeat(26)}`, { events: [] }, 'events'],
  ['POST', `${events}/evt_${'0'.repeat(26)}/replay`, { endpoint: 'we' }, 'endpoint'],
  ['POST', `${events}/replay`, { ...from, types: [] }, 'types'],
  ['POST', `${index}/vectors`, [{ id: 'a', text: 'tea', metadatas: {} }], 0, 'metadatas'],
  ['POST', '/v1/api-keys', { name: 'a', indexIds: [place.indexId], permissions: ['read'] }, 'indexIds'],
  ['POST', '/v1/api-keys', { name: 'a', permission: ['read'] }, 'permission'],
  ['POST', '/v1/api-keys', { name: 'a', row_filter: { tenant: 'a' } }, 'row_filter'],
  ['POST', '/v1/oauth/clients', { name: 'a', scopes: ['read'] }, 'scopes'],
  ['POST', '/v1/oauth/authorize', { ...consent, index_id: place.indexId }, 'index_id'],
  ['PUT', '/v1/aliases/strict', { index_id: place.indexId, name: 'other' }, 'name'],
  [
    'PUT',
    '/v1/source-credentials/strict',
    { provider: 'azure_blob', credentials: { sas_token: 'sig=a' }, name: 'other' },
    'name',
  ],
  ['PUT', `${index}/golden-sets/a`, [{ query: 'a', relevant: [{ id: 'a' }], filters: {} }], 0, 'filters'],
  ['POST', `${index}/golden-sets/a/from-log`, { hours: 1 }, 'hours'],
  ['POST', `/v1/searches/srch_${'0'.repeat(52)}/feedback`, { id: 'a', event: 'good', note: 'b' }, 'note'],
  [
    'POST',
    `${index}/evaluations`,
    { golden_set: 'a', searches: [{ name: 'a', mode: 'sparse' }], version: 1 },
    'version',
  ],
  ['POST', `${index}/exports`, { formats: 'parquet' }, 'formats'],
  ['POST', `${index}/restore`, { as_of: 1, dry_run: true }, 'dry_run'],
  ['POST', `${index}/erasures`, { ids: ['a'], dry_run: true }, 'dry_run'],
  ['POST', `${index}/erasures`, { subject: { key: 'a', value: 'b', name: 'c' } }, 'subject', 'name'],
  ['POST', `${index}/rebuilds`, { engine: 'lance', chunk_size: 400 }, 'chunk_size'],
  ['POST', `${index}/rebuilds`, { chunking: { size: 400, overlaps: 20 } }, 'chunking', 'overlaps'],
  ['POST', `${index}/crawl-jobs`, { url: 'https://example.com', subdomains: true }, 'subdomains'],
  ['POST', `${index}/crawl-schedules`, { url: 'https://example.com', cron: '@daily' }, 'cron'],
  ['PATCH', `${index}/crawl-schedules/sched_${'0'.repeat(26)}`, { cron: '@daily' }, 'cron'],
  ['PATCH', `${index}/connectors/conn_${'0'.repeat(26)}`, { scope: {} }, 'scope'],
  ['POST', `${index}/imports`, { provider: 'aws_s3', uri: 's3://docs/a.pdf', prefix: true }, 'prefix'],
  [
    'POST',
    `${index}/imports`,
    { provider: 'azure_blob', uri: azureUri, credentials: { sas_token: 'sig=a', key: 'a' } },
    'credentials',
    'key',
  ],
  ['POST', `${index}/connectors`, { ...wiki, channel: 'a' }, 'channel'],
  ['POST', `${index}/connectors`, { ...wiki, credentials: { token: 'a', type: 'b' } }, 'credentials', 'type'],
  ['PUT', `${index}/connectors/conn_${'0'.repeat(26)}/credentials`, { ...wiki, name: 'a' }, 'name'],
  ['POST', `${index}/connectors/custom-api`, { ...articles, interval: 5 }, 'interval'],
  ['POST', `${index}/connectors/custom-api`, { ...articles, auth: { type: 'none', token: 'a' } }, 'auth', 'token'],
  [
    'POST',
    `${index}/connectors/custom-api`,
    { ...articles, list: { ...articles.list, filter: 'a' } },
    'list',
    'filter',
  ],
  ['POST', `${index}/connectors/slack/authorize`, { connector_id: null }, 'connector_id'],
  ['POST', `${index}/connectors/slack/complete`, { confirmation_code: 'a', code: 'b' }, 'code'],
  ['PATCH', '/v1/organization', { organization_name: 'a', budget: 1 }, 'budget'],
  ['POST', '/v1/api-keys', { name: 'k', rate_limits: { queries: 1 } }, 'rate_limits', 'queries'],
  ['POST', '/v1/api-keys', { name: 'k', monthly_limits: { pages: 1 } }, 'monthly_limits', 'pages'],
  ['POST', '/v1/organization/webhooks/endpoints', { url: 'https://example.com', events: [] }, 'events'],
];

/** Hints in the problems of unknown fields. */
const advice: Readonly<Record<string, string>> = {
  filters: '`filters` is `filter` here',
  topK: '`topK` is `top_k` here',
  limit: '`limit` is `top_k` here',
  namespace: 'instead of a namespace use an index, or a key of the metadata with a filter',
  metadatas: '`metadatas` is `metadata` here',
  key: '`key` is `keys` here',
  include_vector: '`include_vector` is `include_vectors` here',
  if_versions: '`if_versions` is `if_version` here',
  parent_change: '`parent_change` is `parent_changes` here',
  folder: '`folder` is `folders` here',
  indexIds: '`indexIds` is `index_ids` here',
  index_id: '`index_id` is `index_ids` here',
  permission: '`permission` is `permissions` here',
  formats: '`formats` is `format` here',
};
const unknownField = (...loc: Loc): Problem => {
  // The fields of nested objects have no hints.
  const hint = loc.filter((part) => typeof part === 'string').length > 2 ? undefined : advice[String(loc.at(-1))];
  return hinted(extra(...loc), ...(hint === undefined ? [] : [hint]));
};

test('422: an unknown field', async (context) => {
  for (const [method, url, body, ...unknown] of extended)
    await context.test(`${method} ${url}`, () => assertProblems(method, url, body, [unknownField('body', ...unknown)]));
  const both = { text: 7, filters: {}, fusion: { k: 0, other: 1 } };
  await assertProblems('POST', `${index}/search/hybrid`, both, [
    notString('body', 'text'),
    tooSmall(['body', 'fusion', 'k'], 1),
    extra('body', 'fusion', 'other'),
    unknownField('body', 'filters'),
  ]);
});

test('an unknown field of the creation of an index, a branch or a file job is ignored', async () => {
  assert.equal((await request('POST', '/v1/indexes', { name: 'lenient', colour: 'red' })).status, 201);
  assert.equal((await request('POST', `${index}/branches`, { name: 'lenient', colour: 'red' })).status, 201);
  const file = { filename: 'a.txt', content_type: 'text/plain', colour: 'red' };
  assert.equal((await request('POST', `${index}/files`, file)).status, 201);
});

test('422: a query parameter of a request that changes something', async () => {
  for (const [method, url, body] of [
    ['POST', `${index}/search/sparse?namespace=a`, { text: 'a' }],
    ['POST', `${index}/vectors/delete?filter=a`, { ids: ['a'] }],
    ['POST', '/v1/api-keys?index_id=a', { name: 'a' }],
    ['DELETE', `${index}?branch=a`, undefined],
  ] as const) {
    const [, parameter = ''] = /\?(\w+)=/.exec(url) ?? [];
    await assertProblems(method, url, body, [extra('query', parameter)]);
  }
});

test('the API description forbids additional properties exactly where unknown fields are refused', () => {
  const closed = allEndpoints.filter((endpoint) => {
    const schema = bodySchemaOf(endpoint)?.schema;
    if (schema === undefined) return false;
    const body = resolveSchema(schema);
    const items = body['items'] as JsonSchema | undefined;
    const variants = (body['oneOf'] ?? [items ?? body]) as readonly JsonSchema[];
    return variants.every((variant) => resolveSchema(variant)['additionalProperties'] === false);
  });
  const expected = allEndpoints.filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    return extended.some(([sent, url]) => sent === method && pattern.test(url));
  });
  assert.deepEqual(closed.map(({ id }) => id).toSorted(), expected.map(({ id }) => id).toSorted());
});

test('405: with the methods of the path in the header allow', async () => {
  const paths = new Set(allEndpoints.map(({ path }) => path));
  for (const path of paths) {
    const takes = allEndpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    const url = path.replaceAll(/\{[^}]+\}/g, 'x');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (other) => !takes.some((one) => one === other),
    )) {
      // A path without parameters takes precedence over one whose last part is a parameter.
      const matching = allEndpoints.filter((endpoint) =>
        new RegExp(`^${endpoint.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(url),
      );
      if (matching.some((endpoint) => endpoint.method === method)) continue;
      const answer = await request(method, url);
      assertRefused(answer, 405, 'method_not_allowed');
      const allowed = [
        ...new Set(matching.flatMap((endpoint) => [endpoint.method, ...(endpoint.takesHead === true ? ['HEAD'] : [])])),
      ];
      assert.deepEqual(answer.headers['allow']?.split(', ').toSorted(), allowed.toSorted(), `${method} ${url}`);
    }
  }
});

test('404: a missing index, after validation or, for a restricted key, before it', async () => {
  const nowhere = '/v1/indexes/idx_00000000000000000000000000/vectors/fetch';
  assertRefused(await request('POST', nowhere, { ids: ['a'] }), 404, 'not_found');
  await assertProblems('POST', nowhere, {}, [missing('body', 'ids')]);
  const key = await ask(send, bearer, 'POST', '/v1/api-keys', { name: 'k', index_ids: [place.indexId] });
  assertRefused(await request('POST', nowhere, {}, { authorization: `Bearer ${key.token}` }), 404, 'not_found');
});

test('404: unknown paths', async () => {
  for (const path of ['/v1', '/v1/', '/v1/nothing', '/v2/indexes', '/v1/indexes/a/b/c/d', '/v1//indexes'])
    assertRefused(await request('GET', path), 404, 'not_found');
});

test('404: identifiers of every form', async () => {
  const ids = ['x', '%00', '..%2F..', '%F0%9F%98%80', 'idx_%23ORG', "'", 'a'.repeat(1_100), 'a'.repeat(2_100), '%ff'];
  for (const id of ids) {
    for (const path of [`/v1/indexes/${id}`, `${index}/files/${id}`, `${index}/crawl-jobs/${id}`]) {
      const answer = await request('GET', path);
      assertRefused(answer, 404, 'not_found');
    }
    for (const path of [`/v1/api-keys/${id}`, `/v1/oauth/clients/${id}`, `/v1/organization/members/${id}`])
      assertRefused(await request('DELETE', path), 404, 'not_found');
  }
});

test('409: states', async () => {
  const job = await ask(send, bearer, 'POST', `${index}/files`, file({}));
  assertRefused(await request('POST', `${index}/files/${job.id}/replace`, file({})), 409, 'conflict');
  const member = await newMember(place);
  const [accepted] = await ask(send, bearer, 'GET', '/v1/organization/invitations');
  assert.equal(accepted.email, member.email);
  const again = await send({
    method: 'POST',
    url: '/v1/organization/invitations/accept',
    headers: headersOf(member.bearer),
    body: JSON.stringify({ invitation_id: accepted.id }),
  });
  assertRefused(again, 409, 'conflict');
  assertRefused(await request('DELETE', `/v1/organization/members/${place.owner.userId}`), 409, 'conflict');
  const connector = await ask(send, bearer, 'POST', `${index}/connectors`, {
    provider: 'notion',
    credentials: { token: 'ntn_0123456789abcdef' },
  });
  assertRefused(await request('POST', `${index}/connectors/${connector.id}/pause`), 409, 'conflict');
  const keyed = { 'idempotency-key': 'states' };
  assert.equal((await request('POST', '/v1/indexes', { name: 'a' }, keyed)).status, 201);
  assertRefused(await request('POST', '/v1/indexes', { name: 'b' }, keyed), 409, 'idempotency_conflict');
});

test('404: a deleted resource', async () => {
  const id = await newIndex(send, bearer);
  assert.equal((await request('DELETE', `/v1/indexes/${id}`)).status, 204);
  for (const [method, body] of [['GET'], ['PATCH', { name: 'a' }], ['DELETE']] as const)
    assertRefused(await request(method, `/v1/indexes/${id}`, body), 404, 'not_found');
});
