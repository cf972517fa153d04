/** A field of a protocol buffer whose value has a length. */
const field = (number: number, value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
};

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
};

const integer = (number: number, value: number): Buffer => Buffer.concat([varint(number << 3), varint(value)]);

const message = (...fields: readonly Uint8Array[]): Buffer => Buffer.concat(fields);

const [float, int64] = [1, 7];

const tensor = (name: string, dims: readonly number[], values: readonly number[]): Buffer =>
  message(
    ...dims.map((size) => integer(1, size)),
    integer(2, float),
    field(8, name),
    field(9, Buffer.from(Float32Array.from(values).buffer)),
  );

const node = (operation: string, inputs: readonly string[], output: string): Buffer =>
  message(...inputs.map((input) => field(1, input)), field(2, output), field(3, output), field(4, operation));

const value = (name: string, type: number, dims: readonly (string | number)[]): Buffer => {
  const shape = message(...dims.map((dim) => field(1, typeof dim === 'number' ? integer(1, dim) : field(2, dim))));
  return message(field(1, name), field(2, field(1, message(integer(1, type), field(2, shape)))));
};

const bins = 80;

/** Words that the model knows, and the mel bins whose sound means each of them: about 300 and 3,000 Hz. */
const words = [
  { word: 'comets', low: 5, high: 20 },
  { word: 'return', low: 47, high: 62 },
] as const;

/** For each bin, how much its loudness speaks for nothing, and for each word. */
const weights = (): readonly number[] =>
  Array.from({ length: bins }, (_, bin) => [
    0,
    ...words.map(({ low, high }) =>
      words.some((range) => bin >= range.low && bin < range.high) ? (bin >= low && bin < high ? 1 : -1) / 15 : 0,
    ),
  ]).flat();

/**
 * A speech model in the format that sherpa-onnx reads, of one layer: a low tone is the word "comets", a high tone the word
 * "return", silence is nothing. `model.onnx` and `tokens.txt`, by name.
 * @param bias How ready it is to hear a word: at -1,000 it hears none.
 */
export const tinySpeechModel = (bias = -4): Readonly<Record<string, Uint8Array>> => {
  const classes = words.length + 1;
  const graph = message(
    field(1, node('MatMul', ['x', 'weights'], 'sounds')),
    field(1, node('Add', ['sounds', 'bias'], 'logits')),
    field(1, node('Identity', ['x_lens'], 'logits_lens')),
    field(2, 'tiny'),
    field(5, tensor('weights', [bins, classes], weights())),
    field(5, tensor('bias', [classes], [0, ...words.map(() => bias)])),
    field(11, value('x', float, ['N', 'T', bins])),
    field(11, value('x_lens', int64, ['N'])),
    field(12, value('logits', float, ['N', 'T', classes])),
    field(12, value('logits_lens', int64, ['N'])),
  );
  const facts = { model_type: 'wenet_ctc', vocab_size: String(classes), subsampling_factor: '1' };
  const model = message(
    integer(1, 8),
    field(7, graph),
    field(8, message(field(1, ''), integer(2, 13))),
    ...Object.entries(facts).map(([key, fact]) => field(14, message(field(1, key), field(2, fact)))),
  );
  const tokens = ['<blk>', ...words.map(({ word }) => `▁${word}`)].map((token, at) => `${token} ${at}\n`).join('');
  return { 'model.onnx': model, 'tokens.txt': Buffer.from(tokens) };
};
