import { noteQuad } from '../note-quad.ts';
import { PacedCalls } from '../paced-calls.ts';
import { nowMs, type SharedPlace, until, withEngine } from './shared-place.ts';

export const PACE_MS = 5;

export interface PacedWork {
  readonly task: 'paced';
  readonly place: SharedPlace;
  readonly source: string;
  readonly startMs: number;
  /** Number of the first quad: one that is there already would make no commit. */
  readonly first: number;
  readonly writes: number;
}

export interface FollowWork {
  readonly task: 'follow';
  readonly place: SharedPlace;
  readonly namespace: string;
  /** The revision after which it ends. */
  readonly last: number;
}

/** Moments by revision. */
export type Moments = readonly (readonly [revision: number, atMs: number])[];

/** Commits at a fixed pace; returns when each was acknowledged. */
export function writePaced({ place, source, startMs, first, writes }: PacedWork): Promise<Moments> {
  return withEngine(place, async (engine) => {
    await engine.getWorld({ source });
    await until(startMs);
    const moments: [number, number][] = [];
    let over!: () => void;
    const done = new Promise<void>((resolve) => {
      over = resolve;
    });
    const paced = new PacedCalls(PACE_MS, async (number) => {
      if (number >= writes) return over();
      const { revision } = await engine.write({ source, insert: [noteQuad(first + number)] });
      moments.push([revision, nowMs()]);
    });
    await done;
    await paced.stop();
    return moments;
  });
}

/** Returns when each commit of another process was visible, from where it begins to follow. */
export function followWrites({ place, namespace, last }: FollowWork): Promise<Moments> {
  return withEngine(place, async (engine) => {
    const moments: [number, number][] = [];
    // A follower that waits does not keep its process running.
    const running = setInterval(() => undefined, 1000);
    for await (const { revision } of engine.changes({ namespace })) {
      moments.push([revision, nowMs()]);
      if (revision >= last) break;
    }
    clearInterval(running);
    return moments;
  });
}
