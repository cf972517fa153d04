// AssemblyScript: operations of the in-memory search on every row, 16 bytes at a time. `npm run kernel` compiles it.
// Addresses and lengths are bytes, for a row a multiple of 32. Arguments are not checked: vector-memory.ts lays out memory.

// @ts-ignore
@inline
function sumOf(lanes: v128): f32 {
  return (
    f32x4.extract_lane(lanes, 0) + f32x4.extract_lane(lanes, 1) + (f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3))
  );
}

// @ts-ignore
@inline
function dot(one: usize, other: usize, bytes: usize): f32 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 32) {
    even = f32x4.add(even, f32x4.mul(v128.load(one + at), v128.load(other + at)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(one + at, 16), v128.load(other + at, 16)));
  }
  return sumOf(f32x4.add(even, odd));
}

// @ts-ignore
@inline
function squaredDistance(one: usize, other: usize, bytes: usize): f32 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 32) {
    const first = f32x4.sub(v128.load(one + at), v128.load(other + at));
    const second = f32x4.sub(v128.load(one + at, 16), v128.load(other + at, 16));
    even = f32x4.add(even, f32x4.mul(first, first));
    odd = f32x4.add(odd, f32x4.mul(second, second));
  }
  return sumOf(f32x4.add(even, odd));
}

/** Dot products of a query with four rows, equal to those one by one: their memory is read at once. */
// @ts-ignore
@inline
function fourDots(one: usize, two: usize, three: usize, four: usize, query: usize, bytes: usize): v128 {
  let evenOne = f32x4.splat(0);
  let oddOne = f32x4.splat(0);
  let evenTwo = f32x4.splat(0);
  let oddTwo = f32x4.splat(0);
  let evenThree = f32x4.splat(0);
  let oddThree = f32x4.splat(0);
  let evenFour = f32x4.splat(0);
  let oddFour = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 32) {
    const even = v128.load(query + at);
    const odd = v128.load(query + at, 16);
    evenOne = f32x4.add(evenOne, f32x4.mul(v128.load(one + at), even));
    oddOne = f32x4.add(oddOne, f32x4.mul(v128.load(one + at, 16), odd));
    evenTwo = f32x4.add(evenTwo, f32x4.mul(v128.load(two + at), even));
    oddTwo = f32x4.add(oddTwo, f32x4.mul(v128.load(two + at, 16), odd));
    evenThree = f32x4.add(evenThree, f32x4.mul(v128.load(three + at), even));
    oddThree = f32x4.add(oddThree, f32x4.mul(v128.load(three + at, 16), odd));
    evenFour = f32x4.add(evenFour, f32x4.mul(v128.load(four + at), even));
    oddFour = f32x4.add(oddFour, f32x4.mul(v128.load(four + at, 16), odd));
  }
  const firstTwo = f32x4.replace_lane(
    f32x4.splat(sumOf(f32x4.add(evenOne, oddOne))),
    1,
    sumOf(f32x4.add(evenTwo, oddTwo)),
  );
  const lastTwo = f32x4.replace_lane(firstTwo, 2, sumOf(f32x4.add(evenThree, oddThree)));
  return f32x4.replace_lane(lastTwo, 3, sumOf(f32x4.add(evenFour, oddFour)));
}

/**
 * Writes the proximity of `count` rows to a query (f32, higher is nearer): those at `places` (u32), or the first ones. It is
 * their dot product, or their negative squared distance, times their scale (f32).
 */
export function compare(
  rows: usize,
  scales: usize,
  places: usize,
  count: u32,
  bytes: usize,
  query: usize,
  out: usize,
  euclidean: bool,
): void {
  let at: u32 = 0;
  if (!euclidean) {
    for (; at + 4 <= count; at += 4) {
      const one = <usize>rowAt(places, at);
      const two = <usize>rowAt(places, at + 1);
      const three = <usize>rowAt(places, at + 2);
      const four = <usize>rowAt(places, at + 3);
      let times = f32x4.splat(load<f32>(scales + (one << 2)));
      times = f32x4.replace_lane(times, 1, load<f32>(scales + (two << 2)));
      times = f32x4.replace_lane(times, 2, load<f32>(scales + (three << 2)));
      times = f32x4.replace_lane(times, 3, load<f32>(scales + (four << 2)));
      const dots = fourDots(
        rows + one * bytes,
        rows + two * bytes,
        rows + three * bytes,
        rows + four * bytes,
        query,
        bytes,
      );
      v128.store(out + (<usize>at << 2), f32x4.mul(dots, times));
    }
  }
  for (; at < count; at++) {
    const place = <usize>rowAt(places, at);
    const row = rows + place * bytes;
    const near = euclidean ? <f32>0 - squaredDistance(row, query, bytes) : dot(row, query, bytes);
    store<f32>(out + (<usize>at << 2), near * load<f32>(scales + (place << 2)));
  }
}

/** Squared lengths of `count` rows. */
export function squaredLengths(rows: usize, count: u32, bytes: usize, out: usize): void {
  for (let at: u32 = 0; at < count; at++) {
    const row = rows + <usize>at * bytes;
    store<f32>(out + (<usize>at << 2), dot(row, row, bytes));
  }
}

/** Adds `count` rows, each times its scale, to the sums at `out`. */
export function addUp(rows: usize, scales: usize, count: u32, bytes: usize, out: usize): void {
  for (let at: u32 = 0; at < count; at++) {
    const row = rows + <usize>at * bytes;
    const scale = f32x4.splat(load<f32>(scales + (<usize>at << 2)));
    for (let part: usize = 0; part < bytes; part += 16)
      v128.store(out + part, f32x4.add(v128.load(out + part), f32x4.mul(v128.load(row + part), scale)));
  }
}

/** The fast Walsh-Hadamard transform of `bytes` of numbers, in place; a power of two, at least 32. */
function transform(numbers: usize, bytes: usize): void {
  for (let half = bytes >> 1; half >= 16; half >>= 1) {
    for (let base: usize = 0; base < bytes; base += half << 1) {
      for (let at = numbers + base; at < numbers + base + half; at += 16) {
        const one = v128.load(at);
        const other = v128.load(at + half);
        v128.store(at, f32x4.add(one, other));
        v128.store(at + half, f32x4.sub(one, other));
      }
    }
  }
  for (let at = numbers; at < numbers + bytes; at += 16) {
    const four = v128.load(at);
    const pairs = f32x4.add(f32x4.mul(four, f32x4(1, 1, -1, -1)), v128.shuffle<f32>(four, four, 2, 3, 0, 1));
    v128.store(at, f32x4.add(f32x4.mul(pairs, f32x4(1, -1, 1, -1)), v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2)));
  }
}

/**
 * Writes the quantization code of a row. The row times `scale`, minus `mean`, is rotated by random `signs` and the
 * transform, `size` bytes of numbers in each round. The signs of the first `bits` results are written to `out`, and
 * `firstBytes` of them also to `first`. Returns the squared distance of the row from `mean`.
 */
export function sketch(
  row: usize,
  scale: f32,
  mean: usize,
  signs: usize,
  bytes: usize,
  scratch: usize,
  size: usize,
  bits: u32,
  out: usize,
  first: usize,
  firstBytes: usize,
): f32 {
  let square = f32x4.splat(0);
  for (let done: u32 = 0; done < bits; done += <u32>(size >> 2)) {
    square = f32x4.splat(0);
    memory.fill(scratch + bytes, 0, size - bytes);
    for (let at: usize = 0; at < bytes; at += 16) {
      const centered = f32x4.sub(f32x4.mul(v128.load(row + at), f32x4.splat(scale)), v128.load(mean + at));
      square = f32x4.add(square, f32x4.mul(centered, centered));
      v128.store(scratch + at, f32x4.mul(centered, v128.load(signs + at)));
    }
    transform(scratch, size);
    const some = min<u32>(bits - done, <u32>(size >> 2));
    for (let bit: u32 = 0; bit < some; bit += 8) {
      const numbers = scratch + (<usize>bit << 2);
      const low = i32x4.bitmask(v128.load(numbers));
      const high = i32x4.bitmask(v128.load(numbers, 16));
      store<u8>(out + <usize>((done + bit) >> 3), low | (high << 4));
    }
    signs += size;
  }
  memory.copy(first, out, firstBytes);
  return sumOf(square);
}

// @ts-ignore
@inline
function rowAt(places: usize, at: u32): u32 {
  return places == 0 ? at : load<u32>(places + (<usize>at << 2));
}

// @ts-ignore
@inline
function differing(one: usize, other: usize, bytes: usize): u64 {
  let even: u64 = 0;
  let odd: u64 = 0;
  for (let part: usize = 0; part < bytes; part += 16) {
    even += popcnt(load<u64>(one + part) ^ load<u64>(other + part));
    odd += popcnt(load<u64>(one + part, 8) ^ load<u64>(other + part, 8));
  }
  return even + odd;
}

/** -sin(pi * x) for x from -1/2 to 1/2, to within 0.0002: its series up to the seventh power. */
// @ts-ignore
@inline
function minusSine(x: v128): v128 {
  const square = f32x4.mul(x, x);
  let sum = f32x4.add(f32x4.mul(square, f32x4.splat(0.599264529)), f32x4.splat(-2.550164040));
  sum = f32x4.add(f32x4.mul(square, sum), f32x4.splat(5.167712780));
  sum = f32x4.add(f32x4.mul(square, sum), f32x4.splat(-3.141592654));
  return f32x4.mul(x, sum);
}

/** Distance (f32) of the class (u8) of each of four rows. */
// @ts-ignore
@inline
function fourRadii(radii: usize, classes: usize, places: usize, at: u32): v128 {
  let four = f32x4.splat(load<f32>(radii + (<usize>load<u8>(classes + <usize>rowAt(places, at)) << 2)));
  four = f32x4.replace_lane(four, 1, load<f32>(radii + (<usize>load<u8>(classes + <usize>rowAt(places, at + 1)) << 2)));
  four = f32x4.replace_lane(four, 2, load<f32>(radii + (<usize>load<u8>(classes + <usize>rowAt(places, at + 2)) << 2)));
  return f32x4.replace_lane(four, 3, load<f32>(radii + (<usize>load<u8>(classes + <usize>rowAt(places, at + 3)) << 2)));
}

/** Bins of four rows by their differing bits. */
// @ts-ignore
@inline
function fourBins(bits: v128, perBit: v128, radius: v128, twice: v128, lowest: v128, perBin: v128, last: v128): v128 {
  const angle = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_s(bits), perBit), f32x4.splat(0.5));
  const far = f32x4.mul(radius, f32x4.sub(radius, f32x4.mul(twice, minusSine(angle))));
  const above = f32x4.mul(f32x4.sub(far, lowest), perBin);
  return i32x4.trunc_sat_f32x4_u(f32x4.pmin(f32x4.pmax(above, f32x4.splat(0)), last));
}

/**
 * Estimates the distance of each of `count` quantized rows (those at `places`, or the first ones) from a query, as a bin
 * (u16), and counts the rows of each bin (u32). The estimate is the squared distance minus that of the query from the mean:
 * r * (r - twice * cosine). The cosine follows from the number of differing bits: a random plane separates two vectors with
 * a probability of their angle over pi (Charikar, "Similarity estimation techniques from rounding algorithms", 2002).
 * r is the value of `radii` (f32) for the class (u8) of the row. The lowest bin begins at `lowest`; `perBin` of them make 1.
 * Codes have `bytes` bytes, a multiple of 16. Rows are processed in blocks, so that each of the three steps finds the result
 * of the one before in the processor's cache. Bins are written, and `places` are read, up to a multiple of eight.
 */
export function estimate(
  sketches: usize,
  bytes: usize,
  classes: usize,
  radii: usize,
  places: usize,
  count: u32,
  query: usize,
  twice: f32,
  lowest: f32,
  perBin: f32,
  lastBin: u32,
  bins: usize,
  histogram: usize,
): void {
  const perBit = f32x4.splat(<f32>1 / <f32>(<u32>(bytes << 3)));
  const last = f32x4.splat(<f32>lastBin);
  const twiceIn4 = f32x4.splat(twice);
  const lowestIn4 = f32x4.splat(lowest);
  const perBinIn4 = f32x4.splat(perBin);
  for (let start: u32 = 0; start < count; start += 512) {
    const end = min(start + 512, count);
    for (let at = start; at < end; at++) {
      const sketch = sketches + <usize>rowAt(places, at) * bytes;
      store<u16>(bins + (<usize>at << 1), <u16>differing(sketch, query, bytes));
    }
    for (let at = start; at < end; at += 8) {
      const eight = v128.load(bins + (<usize>at << 1));
      const low = i32x4.extend_low_i16x8_u(eight);
      const high = i32x4.extend_high_i16x8_u(eight);
      const lowRadii = fourRadii(radii, classes, places, at);
      const highRadii = fourRadii(radii, classes, places, at + 4);
      const lowBins = fourBins(low, perBit, lowRadii, twiceIn4, lowestIn4, perBinIn4, last);
      const highBins = fourBins(high, perBit, highRadii, twiceIn4, lowestIn4, perBinIn4, last);
      v128.store(bins + (<usize>at << 1), i16x8.narrow_i32x4_u(lowBins, highBins));
    }
    for (let at = start; at < end; at++) {
      const counter = histogram + (<usize>load<u16>(bins + (<usize>at << 1)) << 2);
      store<u32>(counter, load<u32>(counter) + 1);
    }
  }
}

/**
 * Writes those of `count` rows (u32) whose first part of the code, 16, 32 or 64 bytes, differs from that of the query in
 * fewer bits than the limit (u16) of the row's class (u8). Returns their number. Writes one row beyond these.
 */
export function pick(
  first: usize,
  firstBytes: usize,
  classes: usize,
  count: u32,
  query: usize,
  limits: usize,
  out: usize,
): u32 {
  const q0 = load<u64>(query);
  const q1 = load<u64>(query, 8);
  let end = out;
  let sketch = first;
  if (firstBytes == 16) {
    for (let at: u32 = 0; at < count; at++) {
      const bits = popcnt(load<u64>(sketch) ^ q0) + popcnt(load<u64>(sketch, 8) ^ q1);
      const limit = load<u16>(limits + (<usize>load<u8>(classes + <usize>at) << 1));
      // Without a branch, which the processor could not predict.
      store<u32>(end, at);
      end += <usize>(<u32>bits < <u32>limit) << 2;
      sketch += 16;
    }
    return <u32>((end - out) >> 2);
  }
  const q2 = load<u64>(query, 16);
  const q3 = load<u64>(query, 24);
  if (firstBytes == 32) {
    for (let at: u32 = 0; at < count; at++) {
      const left = popcnt(load<u64>(sketch) ^ q0) + popcnt(load<u64>(sketch, 8) ^ q1);
      const right = popcnt(load<u64>(sketch, 16) ^ q2) + popcnt(load<u64>(sketch, 24) ^ q3);
      const limit = load<u16>(limits + (<usize>load<u8>(classes + <usize>at) << 1));
      store<u32>(end, at);
      end += <usize>(<u32>(left + right) < <u32>limit) << 2;
      sketch += 32;
    }
    return <u32>((end - out) >> 2);
  }
  const q4 = load<u64>(query, 32);
  const q5 = load<u64>(query, 40);
  const q6 = load<u64>(query, 48);
  const q7 = load<u64>(query, 56);
  for (let at: u32 = 0; at < count; at++) {
    const one = popcnt(load<u64>(sketch) ^ q0) + popcnt(load<u64>(sketch, 8) ^ q1);
    const two = popcnt(load<u64>(sketch, 16) ^ q2) + popcnt(load<u64>(sketch, 24) ^ q3);
    const three = popcnt(load<u64>(sketch, 32) ^ q4) + popcnt(load<u64>(sketch, 40) ^ q5);
    const four = popcnt(load<u64>(sketch, 48) ^ q6) + popcnt(load<u64>(sketch, 56) ^ q7);
    const limit = load<u16>(limits + (<usize>load<u8>(classes + <usize>at) << 1));
    store<u32>(end, at);
    end += <usize>(<u32>(one + two + (three + four)) < <u32>limit) << 2;
    sketch += 64;
  }
  return <u32>((end - out) >> 2);
}

/**
 * Writes the rows (u32) whose bin is at most `last` and returns their number. The bins are those of the rows at `places`,
 * or of the first ones.
 */
export function collect(bins: usize, places: usize, count: u32, last: u32, out: usize): u32 {
  let found: u32 = 0;
  const limit = i16x8.splat(<i16>last);
  // Positions behind the last row in its group of eight are no rows.
  for (let at: u32 = 0; at < count; at += 8) {
    let hits = i16x8.bitmask(i16x8.le_u(v128.load(bins + (<usize>at << 1)), limit));
    while (hits != 0) {
      const position = at + ctz(hits);
      hits &= hits - 1;
      if (position >= count) break;
      store<u32>(out + (<usize>found << 2), rowAt(places, position));
      found++;
    }
  }
  return found;
}
