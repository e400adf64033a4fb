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
    throw new EmbedderLie(`${name} returned ${describe(vectors)} instead of ${count} vector(s).`);
  if (vectors.length !== count)
    throw new EmbedderLie(`${name} returned ${vectors.length} vector(s) for ${count} text(s).`);
  return vectors.map((vector: unknown) => {
    if (!Array.isArray(vector) && !(ArrayBuffer.isView(vector) && 'length' in vector))
      throw new EmbedderLie(`${name} returned ${describe(vector)} instead of a vector.`);
    const numbers = vector as readonly unknown[];
    if (numbers.length !== dimensions)
      throw new EmbedderLie(
        `${name} returned a vector of ${numbers.length} dimensions, but is set to ${dimensions}; set the option dimensions to that of the model.`,
      );
    let isZero = true;
    for (let at = 0; at < dimensions; at++) {
      const component = numbers[at];
      if (typeof component !== 'number' || !Number.isFinite(Math.fround(component)))
        throw new EmbedderLie(
          `${name} returned a vector with the component ${describe(component)}, which is not a finite 32-bit number.`,
        );
      if (component !== 0) isZero = false;
    }
    if (isZero)
      throw new EmbedderLie(
        `${name} returned a vector of zeros, which has no direction; check that the model is loaded completely.`,
      );
    return vector as Float32Array | readonly number[];
  });
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : typeof value;
}
