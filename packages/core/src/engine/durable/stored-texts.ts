import { Slicer } from '../../contracts/slicer.ts';
import type { Remains, Segment, StoredSegment } from '../../contracts/storage.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { SearchContents } from '../../search/stored-search.ts';
import type { StoredTexts, TextContents, TextSegments } from '../storable-texts.ts';
import { isDamage } from './is-damage.ts';
import { decodeText, encodeText } from './segments.ts';

const PREFIX = 'text-';

/**
 * Whether a segment of a checkpoint is a part of a text index. These segments are a cache of the
 * quads: without them, or if they are damaged, the index is built again.
 */
export function isTextSegment(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Returns the text index of a checkpoint. Reads nothing. */
export function storedTexts(namespace: string, texts: TextSegments, segments: readonly StoredSegment[]): StoredTexts {
  const own = new Map(segments.filter(({ name }) => isTextSegment(name)).map((segment) => [segment.name, segment]));
  const read = async (name: string): Promise<Uint8Array> => {
    const where = `the namespace ${namespace}, ${name}`;
    const segment = own.get(name);
    if (!segment) throw new WorldsError('CORRUPT', `The text segment of ${where} is missing.`);
    return new Slicer().run(decodeText(await segment.read(), name, where));
  };
  return {
    worlds: worldsIn(texts.worlds),
    open: async () => ({ state: await read(texts.state), read }),
    byteLength: Array.from(own.values()).reduce((sum, { byteLength }) => sum + byteLength, 0),
    carry: (worlds) => ({
      texts: { state: texts.state, worlds: rangesOf(worlds) },
      segments: Array.from(own.values(), carried),
    }),
  };
}

function carried(segment: StoredSegment): Segment {
  return {
    name: segment.name,
    // Usually not called: the newest checkpoint has it.
    write: async function* () {
      yield await segment.read();
    },
  };
}

/** Returns the segments and the names of a captured index. */
export function textSegments(
  { state, others }: SearchContents,
  worlds: Iterable<number>,
): Pick<TextContents, 'texts' | 'segments'> {
  return {
    texts: { state: state.name, worlds: rangesOf(worlds) },
    segments: [...others, state].map(({ name, encode }) => ({
      name,
      write: async function* () {
        yield* await new Slicer().run(encodeText(name, encode()));
      },
    })),
  };
}

/**
 * Reads the text indexes of the newest checkpoint, and describes the damage. No data is lost by it:
 * a damaged index is rebuilt from the quads.
 */
export async function textDamagesOf(
  namespace: string,
  { checkpoints }: Remains,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const damages: string[] = [];
  const slicer = new Slicer(signal);
  for (const segment of checkpoints[0]?.segments ?? []) {
    const { name } = segment;
    if (!isTextSegment(name)) continue;
    try {
      await slicer.run(decodeText(await segment.read(), name, `the namespace ${namespace}, ${name}`));
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      damages.push(
        `The stored text index is damaged. No data is affected: it is built from the quads instead, and the next checkpoint replaces it. Found: ${cause.message}`,
      );
    }
  }
  return damages;
}

/** Returns a name for a part of an index. */
export function textSegmentName(kind: string, id: string): string {
  return `${PREFIX}${kind}-${id}`;
}

function rangesOf(worlds: Iterable<number>): number[] {
  const ranges: number[] = [];
  for (const world of Uint32Array.from(worlds).sort()) {
    if (ranges.length > 0 && ranges[ranges.length - 1] === world - 1) ranges[ranges.length - 1] = world;
    else ranges.push(world, world);
  }
  return ranges;
}

function worldsIn(ranges: readonly number[]): Set<number> {
  const worlds = new Set<number>();
  for (let at = 0; at < ranges.length; at += 2)
    for (let world = ranges[at]; world <= ranges[at + 1]; world++) worlds.add(world);
  return worlds;
}
