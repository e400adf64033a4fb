/**
 * Growth policy of columns: doubling while small, then by a quarter, so that large columns waste
 * little.
 */
function nextCapacity(capacity: number, needed: number): number {
  const wanted = capacity < 65_536 ? capacity * 2 : Math.ceil(capacity * 1.25);
  return Math.max(wanted, needed);
}

/** Returns a copy of a column with room for at least `needed` elements. */
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
