import { EmbedderLie } from '../embedder-lie.ts';

/**
 * Validates the vectors returned by a model: one per text, of the right length, finite, non-zero.
 * Throws EmbedderLie.
 */
export function checkedEmbeddings(
  vectors: unknown,
  count: number,
  dimensions: number,
  name: string,
): readonly (Float32Array | readonly number[])[] {
  if (!Array.isArray(vectors))
    throw new EmbedderLie(`${name} gave ${describe(vectors)} in place of ${count} vector(s).`);
  if (vectors.length !== count) throw new EmbedderLie(`${name} gave ${vectors.length} vector(s) for ${count} text(s).`);
  return vectors.map((vector: unknown) => {
    if (!Array.isArray(vector) && !(ArrayBuffer.isView(vector) && 'length' in vector))
      throw new EmbedderLie(`${name} gave ${describe(vector)} in place of a vector.`);
    const numbers = vector as readonly unknown[];
    if (numbers.length !== dimensions)
      throw new EmbedderLie(
        `${name} gave a vector of ${numbers.length} dimensions, and is set to ${dimensions}; set the option dimensions to what the model gives.`,
      );
    let isZero = true;
    for (let at = 0; at < dimensions; at++) {
      const component = numbers[at];
      if (typeof component !== 'number' || !Number.isFinite(Math.fround(component)))
        throw new EmbedderLie(
          `${name} gave a vector with ${describe(component)} in it, which is no finite 32-bit number.`,
        );
      if (component !== 0) isZero = false;
    }
    if (isZero)
      throw new EmbedderLie(
        `${name} gave a vector of nothing but zeros, which is like no other; see whether the model is loaded whole.`,
      );
    return vector as Float32Array | readonly number[];
  });
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : typeof value;
}
