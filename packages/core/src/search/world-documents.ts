import type { DocSet } from '../contracts/doc-set.ts';
import type { Slicer } from '../contracts/slicer.ts';
import { docSetIds, docSetOf, EMPTY_DOC_SET } from './doc-set.ts';
import type { DocumentTable } from './document-table.ts';
import type { IdMap } from './id-map.ts';
import { BLOCK_SIZE } from './world-blocks.ts';

/** Blocks between two checks of the clock. */
const STRIDE = 1024;

/** A set of worlds of a table. */
export interface WantedWorlds {
  readonly map: IdMap;
  /** The same worlds, without duplicates. */
  readonly numbers: readonly number[];
  /** Total number of their documents. */
  readonly documents: number;
}

/** Returns all documents of some worlds, block by block, without visiting documents. */
export async function documentsOfWorlds(table: DocumentTable, worlds: WantedWorlds, slicer: Slicer): Promise<DocSet> {
  if (worlds.documents === 0) return EMPTY_DOC_SET;
  const ranges: number[] = [];
  let visited = 0;
  const blocks = blocksOf(table, worlds);
  for (let at = 0; at < blocks.length; at++) {
    addRuns(ranges, blocks[at] * BLOCK_SIZE, table.blocks.docsIn(blocks[at]));
    if (++visited % STRIDE === 0 && slicer.due) await slicer.pause();
  }
  const set: DocSet = { kind: 'ranges', ranges: Uint32Array.from(ranges), size: worlds.documents };
  // Many short ranges take less memory in another form.
  return ranges.length <= worlds.documents ? set : docSetOf(docSetIds(set));
}

/** Returns their blocks, ascending. */
function blocksOf({ blocks }: DocumentTable, { map, numbers, documents }: WantedWorlds): Uint32Array {
  const found: number[] = [];
  // Following a world's block list jumps around in memory, so it only pays for a part of the table.
  if (documents * 4 > blocks.end) {
    for (let block = 0; block < blocks.size; block++)
      if (blocks.docsIn(block) !== 0 && map.has(blocks.worldOfBlock(block))) found.push(block);
    return Uint32Array.from(found);
  }
  for (const world of numbers)
    for (let block = blocks.first(world); block >= 0; block = blocks.next(block)) found.push(block);
  return Uint32Array.from(found).sort();
}

/** Appends the runs of set bits in a block's bit mask. */
function addRuns(ranges: number[], first: number, docs: number): void {
  for (let left = docs; left !== 0; ) {
    const start = 31 - Math.clz32(left & -left);
    // The run ends at the lowest clear bit.
    const gap = ~(left >>> start);
    const end = start + 31 - Math.clz32(gap & -gap);
    left = end === 32 ? 0 : (left >>> end) << end;
    if (ranges.length > 0 && ranges[ranges.length - 1] === first + start) ranges[ranges.length - 1] = first + end;
    else ranges.push(first + start, first + end);
  }
}
