// AssemblyScript: comparison of rows in memory with a query, 16 bytes at a time. `npm run kernel` compiles it.
// Addresses and lengths are bytes, for a row a multiple of 32. Arguments are not checked: kernel.ts lays out memory.

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
 * Writes the proximity of `count` rows to a query (f32, higher is nearer). It is their dot product, or their negative squared
 * distance, times their scale (f32).
 */
export function compare(
  rows: usize,
  scales: usize,
  count: u32,
  bytes: usize,
  query: usize,
  out: usize,
  euclidean: bool,
): void {
  let at: u32 = 0;
  if (!euclidean) {
    for (; at + 4 <= count; at += 4) {
      const row = rows + <usize>at * bytes;
      const dots = fourDots(row, row + bytes, row + 2 * bytes, row + 3 * bytes, query, bytes);
      v128.store(out + (<usize>at << 2), f32x4.mul(dots, v128.load(scales + (<usize>at << 2))));
    }
  }
  for (; at < count; at++) {
    const row = rows + <usize>at * bytes;
    const near = euclidean ? <f32>0 - squaredDistance(row, query, bytes) : dot(row, query, bytes);
    store<f32>(out + (<usize>at << 2), near * load<f32>(scales + (<usize>at << 2)));
  }
}

/** Squared lengths of `count` rows. */
export function squaredLengths(rows: usize, count: u32, bytes: usize, out: usize): void {
  for (let at: u32 = 0; at < count; at++) {
    const row = rows + <usize>at * bytes;
    store<f32>(out + (<usize>at << 2), dot(row, row, bytes));
  }
}
