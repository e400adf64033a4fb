// These functions also run in a worker, which receives their source text: they may use only each
// other and globals, and none is a closure.

/**
 * Sparse matrix with documents as rows: the entries of document d are at
 * `rowStart[d] .. rowStart[d + 1] - 1`.
 */
export interface SparseRows {
  readonly columns: number;
  readonly rowStart: Uint32Array;
  readonly column: Uint32Array;
  readonly value: Float32Array;
}

export interface SvdOptions {
  /** Number of singular vectors. */
  readonly rank: number;
  /** Number of multiplications of the subspace by the matrix and its transpose. */
  readonly iterations: number;
  readonly seed: number;
}

/**
 * Computes the right singular vectors of the largest singular values by randomized subspace
 * iteration (Halko, Martinsson, Tropp, SIAM Review 2011, algorithm 4.4): random vectors are
 * repeatedly multiplied by the matrix and its transpose and made orthonormal, and finally turned
 * into singular vectors by the eigenvectors of the remaining small matrix. Returns `columns` rows
 * of `rank` components; components beyond the rank of the matrix are 0. Deterministic. Yields the
 * share that is done, every few milliseconds.
 */
export function* truncatedSvd(matrix: SparseRows, options: SvdOptions): Generator<number, Float32Array, unknown> {
  const { columns } = matrix;
  const { rank, iterations } = options;
  // Oversampling, so that the last wanted vectors converge too.
  const width = Math.min(columns, rank + 10);
  const steps = iterations + 2;
  let basis = randomBasis(columns, width, options.seed);
  for (let iteration = 0; iteration <= iterations; iteration++) {
    if (iteration > 0) basis = yield* multiplySquare(matrix, basis, width, (iteration - 1) / steps, 1 / steps);
    yield* orthonormalize(basis, columns, width, iteration / steps);
  }
  // Repeat: nearly parallel columns are not quite orthogonal after the first pass.
  yield* orthonormalize(basis, columns, width, iterations / steps);
  const image = yield* multiplySquare(matrix, basis, width, iterations / steps, 1 / steps);
  const small = yield* products(basis, image, columns, width, (iterations + 1) / steps);
  const turn = yield* symmetricEigenvectors(small, width, (iterations + 1) / steps);
  return yield* turned(basis, turn, columns, width, rank, (iterations + 1) / steps);
}

/** Returns rows of independent numbers between -1 and 1. */
function randomBasis(rows: number, width: number, seed: number): Float64Array {
  const basis = new Float64Array(rows * width);
  let state = seed | 0;
  for (let at = 0; at < basis.length; at++) {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    basis[at] = (mixed ^ (mixed >>> 16)) / 0x80000000;
  }
  return basis;
}

/** Multiplies `basis` by the matrix, then by its transpose. */
function* multiplySquare(
  matrix: SparseRows,
  basis: Float64Array,
  width: number,
  done: number,
  part: number,
): Generator<number, Float64Array, unknown> {
  const { rowStart, column, value } = matrix;
  const rows = rowStart.length - 1;
  const product = new Float64Array(basis.length);
  const row = new Float64Array(width);
  let work = 0;
  for (let document = 0; document < rows; document++) {
    const end = rowStart[document + 1];
    row.fill(0);
    for (let at = rowStart[document]; at < end; at++) {
      const from = column[at] * width;
      const factor = value[at];
      for (let component = 0; component < width; component++) row[component] += factor * basis[from + component];
    }
    for (let at = rowStart[document]; at < end; at++) {
      const to = column[at] * width;
      const factor = value[at];
      for (let component = 0; component < width; component++) product[to + component] += factor * row[component];
    }
    work += (end - rowStart[document] + 1) * width;
    if (work > 200_000) {
      work = 0;
      yield done + (part * document) / rows;
    }
  }
  return product;
}

/**
 * Returns the products of all columns of one matrix with all columns of the other, both of `rows`
 * rows; the result must be symmetric.
 */
function* products(
  one: Float64Array,
  other: Float64Array,
  rows: number,
  width: number,
  done: number,
): Generator<number, Float64Array, unknown> {
  const sums = new Float64Array(width * width);
  let work = 0;
  for (let row = 0; row < rows; row++) {
    const start = row * width;
    for (let low = 0; low < width; low++) {
      const factor = one[start + low];
      if (factor === 0) continue;
      const to = low * width;
      for (let high = low; high < width; high++) sums[to + high] += factor * other[start + high];
    }
    work += width * width;
    if (work > 1_000_000) {
      work = 0;
      yield done;
    }
  }
  for (let low = 0; low < width; low++)
    for (let high = low + 1; high < width; high++) sums[high * width + low] = sums[low * width + high];
  return sums;
}

/**
 * Makes the columns orthonormal in place, using the Cholesky factor of their products. A column
 * that depends on its predecessors becomes 0.
 */
function* orthonormalize(
  basis: Float64Array,
  rows: number,
  width: number,
  done: number,
): Generator<number, void, unknown> {
  // Row c of the factor becomes the amounts by which column c is subtracted from later columns.
  const factor = yield* products(basis, basis, rows, width, done);
  const inverse = new Float64Array(width);
  for (let column = 0; column < width; column++) {
    const square = factor[column * width + column];
    let left = square;
    for (let at = 0; at < column; at++) left -= factor[at * width + column] ** 2;
    // The remainder of a column after its predecessors may be only rounding error, not a direction.
    inverse[column] = left > square * 1e-13 && left > 1e-280 ? 1 / Math.sqrt(left) : 0;
    for (let after = column + 1; after < width; after++) {
      let sum = factor[column * width + after];
      for (let at = 0; at < column; at++) sum -= factor[at * width + column] * factor[at * width + after];
      factor[column * width + after] = sum * inverse[column];
    }
  }
  let work = 0;
  for (let row = 0; row < rows; row++) {
    const start = row * width;
    for (let column = 0; column < width; column++) {
      const component = basis[start + column] * inverse[column];
      basis[start + column] = component;
      const from = column * width;
      for (let after = column + 1; after < width; after++) basis[start + after] -= component * factor[from + after];
    }
    work += width * width;
    if (work > 1_000_000) {
      work = 0;
      yield done;
    }
  }
}

/**
 * Returns the eigenvectors of a symmetric matrix as columns, largest eigenvalues first, by cyclic
 * Jacobi rotations (Golub and Van Loan, Matrix Computations, 8.5). Modifies `matrix`.
 */
function* symmetricEigenvectors(
  matrix: Float64Array,
  width: number,
  done: number,
): Generator<number, Float64Array, unknown> {
  const vectors = new Float64Array(width * width);
  let square = 0;
  for (let at = 0; at < width; at++) vectors[at * width + at] = 1;
  for (let at = 0; at < matrix.length; at++) square += matrix[at] * matrix[at];
  for (let sweep = 0; sweep < 30; sweep++) {
    let rest = 0;
    for (let low = 0; low < width; low++)
      for (let high = low + 1; high < width; high++) rest += matrix[low * width + high] ** 2;
    if (rest <= square * 1e-24) break;
    for (let low = 0; low < width; low++) {
      for (let high = low + 1; high < width; high++) rotate(matrix, vectors, width, low, high);
      yield done;
    }
  }
  const order = Array.from({ length: width }, (_, at) => at).sort(
    (a, b) => matrix[b * width + b] - matrix[a * width + a] || a - b,
  );
  const sorted = new Float64Array(width * width);
  for (let row = 0; row < width; row++)
    for (let at = 0; at < width; at++) sorted[row * width + at] = vectors[row * width + order[at]];
  return sorted;
}

/** Applies one Jacobi rotation, which makes the entry (low, high) zero. */
function rotate(matrix: Float64Array, vectors: Float64Array, width: number, low: number, high: number): void {
  const entry = matrix[low * width + high];
  if (entry === 0) return;
  const slope = (matrix[high * width + high] - matrix[low * width + low]) / (2 * entry);
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.sqrt(slope * slope + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let at = 0; at < width; at++) {
    const a = matrix[at * width + low];
    const b = matrix[at * width + high];
    matrix[at * width + low] = cosine * a - sine * b;
    matrix[at * width + high] = sine * a + cosine * b;
  }
  for (let at = 0; at < width; at++) {
    const a = matrix[low * width + at];
    const b = matrix[high * width + at];
    matrix[low * width + at] = cosine * a - sine * b;
    matrix[high * width + at] = sine * a + cosine * b;
    const c = vectors[at * width + low];
    const d = vectors[at * width + high];
    vectors[at * width + low] = cosine * c - sine * d;
    vectors[at * width + high] = sine * c + cosine * d;
  }
}

/**
 * Returns the first `rank` columns of basis times turn. The largest component of each column is
 * made positive, which fixes its otherwise arbitrary sign.
 */
function* turned(
  basis: Float64Array,
  turn: Float64Array,
  rows: number,
  width: number,
  rank: number,
  done: number,
): Generator<number, Float32Array, unknown> {
  const vectors = new Float32Array(rows * rank);
  const largest = new Float64Array(rank);
  const kept = Math.min(rank, width);
  const row = new Float64Array(width);
  let work = 0;
  for (let at = 0; at < rows; at++) {
    row.fill(0);
    for (let component = 0; component < width; component++) {
      const factor = basis[at * width + component];
      for (let column = 0; column < kept; column++) row[column] += factor * turn[component * width + column];
    }
    for (let column = 0; column < kept; column++) {
      vectors[at * rank + column] = row[column];
      if (Math.abs(row[column]) > Math.abs(largest[column])) largest[column] = row[column];
    }
    work += width * width;
    if (work > 1_000_000) {
      work = 0;
      yield done;
    }
  }
  for (let at = 0; at < rows; at++)
    for (let column = 0; column < kept; column++) if (largest[column] < 0) vectors[at * rank + column] *= -1;
  return vectors;
}

/** All functions that a worker needs. */
export const SVD_FUNCTIONS: readonly ((...args: never[]) => unknown)[] = [
  truncatedSvd,
  randomBasis,
  multiplySquare,
  products,
  orthonormalize,
  symmetricEigenvectors,
  rotate,
  turned,
];
