import { isObject } from './context.ts';

/** Number of names sorted in one call. */
const RUN = 1024;
/** Number of pieces joined in one call. */
const BLOCK = 4096;

/**
 * Returns the canonical text of a JSON value (RFC 8785): members sorted by UTF-16 code units,
 * numbers and strings as ECMAScript writes them, no whitespace. It is the lexical form of an
 * rdf:JSON literal (JSON-LD 1.1 API section 8.6.1, step 2.6).
 *
 * A kernel: yields for each member and item, for the caller to count.
 */
export function* canonicalJson(value: unknown): Generator<undefined, string> {
  const pieces = new Pieces();
  yield* write(value, pieces);
  return pieces.text();
}

/**
 * A text under construction. Joining millions of pieces in one call would take a tenth of a second.
 */
class Pieces {
  private readonly blocks: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    if (this.pieces.push(piece) < BLOCK) return;
    this.blocks.push(this.pieces.join(''));
    this.pieces = [];
  }

  text(): string {
    this.blocks.push(this.pieces.join(''));
    return this.blocks.join('');
  }
}

function* write(value: unknown, pieces: Pieces): Generator<undefined, void> {
  if (Array.isArray(value)) {
    pieces.add('[');
    for (let index = 0; index < value.length; index++) {
      if (index > 0) pieces.add(',');
      yield* write(value[index], pieces);
      yield;
    }
    pieces.add(']');
  } else if (isObject(value)) {
    pieces.add('{');
    let first = true;
    for (const name of yield* sorted([...value.keys()])) {
      pieces.add(`${first ? '' : ','}${JSON.stringify(name)}:`);
      first = false;
      yield* write(value.get(name), pieces);
      yield;
    }
    pieces.add('}');
    // RFC 8785 section 3.2.2.3: numbers are doubles.
  } else pieces.add(JSON.stringify(typeof value === 'bigint' ? Number(value) : value));
}

/** Sorts by UTF-16 code units: sorts runs, then merges them pairwise, yielding for each name. */
function* sorted(names: string[]): Generator<undefined, string[]> {
  if (names.length <= RUN) return names.sort();
  let runs: string[][] = [];
  for (let start = 0; start < names.length; start += RUN) {
    runs.push(names.slice(start, start + RUN).sort());
    for (let step = 0; step < RUN; step++) yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(index + 1 < runs.length ? yield* merge(runs[index], runs[index + 1]) : runs[index]);
    runs = merged;
  }
  return runs[0];
}

function* merge(left: readonly string[], right: readonly string[]): Generator<undefined, string[]> {
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (j === right.length || (i < left.length && left[i] < right[j])) merged.push(left[i++]);
    else merged.push(right[j++]);
    yield;
  }
  return merged;
}
