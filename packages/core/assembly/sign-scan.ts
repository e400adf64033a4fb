// The scan over sign codes, in AssemblyScript (it looks like TypeScript;
// `scripts/write-sign-scan.ts` compiles it). `src/search/vector/plain-code-blocks.ts` does the same
// in JavaScript, rounding where this rounds: change both together.

/**
 * Goes through `blocks` blocks of sixteen rows and writes down every row whose bound reaches
 * `threshold`: its number, counted from the first block, to `outRows`, its bound to `outBounds`.
 * Returns how many.
 *
 * Of each block there is a head, a middle and a tail. A head is `headBytes` times 16 bytes (the
 * first code byte of all rows, then the second and so on), then sixteen factors and sixteen offsets
 * as f32; a middle is as many code bytes without these, a tail is `tailBytes` times 16 bytes.
 * `table` has two tables of 16 small numbers for each code byte: one for its low, one for its high
 * four bits. The bound of a row is factor * (sum * scale + bias) + (offset + base), where `sum`
 * adds what the tables say of its code. A tail is read only where a row reaches the threshold by
 * head and middle, with `middleScale` and `middleBias`; with `looks` not 0 a middle only where one
 * does by the head, with `headScale` and `headBias`. How many heads were looked at so, and how many
 * of these blocks were left, is written to `counts`, two i32.
 *
 * `mask` points to 16 bits a block, 1 for a row that may be found; 0: all may. `scratch` is room
 * for sixteen f32.
 */
export function scan(
  head: usize,
  middle: usize,
  tail: usize,
  blocks: i32,
  headBytes: i32,
  tailBytes: i32,
  looks: i32,
  table: usize,
  mask: usize,
  headScale: f32,
  headBias: f32,
  middleScale: f32,
  middleBias: f32,
  scale: f32,
  bias: f32,
  base: f32,
  threshold: f32,
  outRows: usize,
  outBounds: usize,
  scratch: usize,
  counts: usize,
): i32 {
  const headCode = (<usize>headBytes) << 4;
  const tailCode = (<usize>tailBytes) << 4;
  const middleTable = table + (headCode << 1);
  const tailTable = table + (headCode << 2);
  let found: i32 = 0;
  let looked: i32 = 0;
  let left: i32 = 0;
  for (let block = 0; block < blocks; block++, head += headCode + 128, middle += headCode, tail += tailCode) {
    const allowed = mask ? <i32>load<u16>(mask + ((<usize>block) << 1)) : 0xffff;
    if (!allowed) continue;
    let low = i16x8.splat(0);
    let high = i16x8.splat(0);
    for (let at: usize = 0; at < headCode; at += 64) {
      const sums = sumOfFour(head + at, table + (at << 1));
      low = i16x8.add(low, v128.and(sums, i16x8.splat(255)));
      high = i16x8.add(high, i16x8.shr_u(sums, 8));
    }
    if (looks) {
      looked++;
      if (!(allowed & reaching(low, high, head + headCode, headScale, headBias, base, threshold, scratch))) continue;
      left++;
    }
    for (let at: usize = 0; at < headCode; at += 64) {
      const sums = sumOfFour(middle + at, middleTable + (at << 1));
      low = i16x8.add(low, v128.and(sums, i16x8.splat(255)));
      high = i16x8.add(high, i16x8.shr_u(sums, 8));
    }
    let reached = allowed & reaching(low, high, head + headCode, middleScale, middleBias, base, threshold, scratch);
    if (!reached) continue;
    if (tailCode) {
      for (let at: usize = 0; at < tailCode; at += 64) {
        const sums = sumOfFour(tail + at, tailTable + (at << 1));
        low = i16x8.add(low, v128.and(sums, i16x8.splat(255)));
        high = i16x8.add(high, i16x8.shr_u(sums, 8));
      }
      reached &= reaching(low, high, head + headCode, scale, bias, base, threshold, scratch);
    }
    while (reached) {
      const lane = ctz(reached);
      reached &= reached - 1;
      store<u32>(outRows + ((<usize>found) << 2), (block << 4) + lane);
      store<f32>(outBounds + ((<usize>found) << 2), load<f32>(scratch + ((<usize>lane) << 2)));
      found++;
    }
  }
  store<i32>(counts, looked);
  store<i32>(counts, left, 4);
  return found;
}

/**
 * What the tables say of four code bytes of sixteen rows, added up: at most 8 * 31, so bytes
 * suffice.
 */
function sumOfFour(codes: usize, table: usize): v128 {
  return i8x16.add(
    i8x16.add(sumOfOne(codes, table), sumOfOne(codes + 16, table + 32)),
    i8x16.add(sumOfOne(codes + 32, table + 64), sumOfOne(codes + 48, table + 96)),
  );
}

function sumOfOne(codes: usize, table: usize): v128 {
  const bytes = v128.load(codes);
  return i8x16.add(
    i8x16.swizzle(v128.load(table), v128.and(bytes, i8x16.splat(15))),
    i8x16.swizzle(v128.load(table, 16), i8x16.shr_u(bytes, 4)),
  );
}

/** The rows, as bits, whose bound reaches the threshold. The bounds are left at `scratch`. */
function reaching(
  low: v128,
  high: v128,
  factors: usize,
  scale: f32,
  bias: f32,
  base: f32,
  threshold: f32,
  scratch: usize,
): i32 {
  return (
    four(i32x4.extend_low_i16x8_u(low), factors, scale, bias, base, threshold, scratch) |
    (four(i32x4.extend_high_i16x8_u(low), factors + 16, scale, bias, base, threshold, scratch + 16) << 4) |
    (four(i32x4.extend_low_i16x8_u(high), factors + 32, scale, bias, base, threshold, scratch + 32) << 8) |
    (four(i32x4.extend_high_i16x8_u(high), factors + 48, scale, bias, base, threshold, scratch + 48) << 12)
  );
}

function four(sums: v128, factors: usize, scale: f32, bias: f32, base: f32, threshold: f32, scratch: usize): i32 {
  const spread = f32x4.add(f32x4.mul(f32x4.convert_i32x4_u(sums), f32x4.splat(scale)), f32x4.splat(bias));
  const offset = f32x4.add(v128.load(factors, 64), f32x4.splat(base));
  const bound = f32x4.add(f32x4.mul(v128.load(factors), spread), offset);
  v128.store(scratch, bound);
  return i32x4.bitmask(f32x4.ge(bound, f32x4.splat(threshold)));
}
