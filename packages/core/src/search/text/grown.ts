/**
 * What a column grows by: doubling while it is small, then by a quarter, so that little of a large
 * one lies idle.
 */
function nextCapacity(capacity: number, needed: number): number {
  const wanted = capacity < 65_536 ? capacity * 2 : Math.ceil(capacity * 1.25);
  return Math.max(wanted, needed);
}

/** A copy of a column with room for at least `needed` elements. */
export function grown(column: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(nextCapacity(column.length, needed));
  larger.set(column);
  return larger;
}

export function grownBytes(column: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(nextCapacity(column.length, needed));
  larger.set(column);
  return larger;
}
