import type { DocSet } from '@rdf-worlds/core/plugin';

/** Returns a membership test for a set of documents. */
export function docSetMembership(set: DocSet): (doc: number) => boolean {
  switch (set.kind) {
    case 'bitset': {
      const { words } = set;
      return (doc) => (words[doc >>> 5] & (1 << (doc & 31))) !== 0;
    }
    case 'sorted': {
      const { ids } = set;
      return (doc) => {
        const at = notAbove(ids, doc, 1);
        return at > 0 && ids[at - 1] === doc;
      };
    }
    case 'ranges': {
      const { ranges } = set;
      return (doc) => {
        const at = notAbove(ranges, doc, 2);
        return at > 0 && doc < ranges[at * 2 - 1];
      };
    }
  }
}

/**
 * Returns the number of elements at 0, stride, 2 * stride ... of an ascending array that are at
 * most `doc`.
 */
function notAbove(ascending: Uint32Array, doc: number, stride: number): number {
  let low = 0;
  let high = Math.floor(ascending.length / stride);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle * stride] <= doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
