import { DatasetView } from '../../../src/quads/dataset-view.ts';
import { RangeTable } from '../../../src/sparql/exec/range-table.ts';
import { StoredTexts } from '../../../src/sparql/exec/stored-texts.ts';
import { Conditions } from '../../../src/sparql/plan/conditions.ts';
import { StoredValues } from '../../../src/sparql/vectors/stored-values.ts';

/** An optimization that can be turned off; the general path must give the same result. */
export interface FastPath {
  readonly name: string;
  /** Turns it off for all engines of the process; returns a function that turns it on again. */
  off(): () => void;
}

/** Replaces a method; returns a function that restores it. */
export function replaceMethod<Holder extends object, Name extends keyof Holder>(
  holder: Holder,
  name: Name,
  make: (right: Holder[Name]) => Holder[Name],
): () => void {
  const right = holder[name];
  holder[name] = make(right);
  return () => {
    holder[name] = right;
  };
}

/** The fast paths of the engine, one per row. */
export const FAST_PATHS: readonly FastPath[] = [
  { name: 'values without terms', off: () => replaceMethod(StoredValues, 'of', () => () => undefined) },
  { name: 'texts on stored bytes', off: () => replaceMethod(StoredTexts, 'of', () => () => undefined) },
  {
    // One key for all rows: the join becomes a product, and the condition above it filters the
    // rows.
    name: 'equal values by keys',
    off: () =>
      replaceMethod(
        Conditions.prototype,
        'equalityKey',
        (right) =>
          function (this: Conditions, ...args) {
            return { ...right.apply(this, args), start: () => () => 0 };
          },
      ),
  },
  {
    // Returns every pair with the same terms; the conditions above filter them.
    name: 'joins by ranges',
    off: () => {
      const table = RangeTable.prototype;
      const on = [
        replaceMethod(table, 'from', () => table.start),
        replaceMethod(table, 'to', () => table.unsorted),
        replaceMethod(table, 'hasOther', () => () => false),
      ];
      return () => {
        for (const turnOn of on) turnOn();
      };
    },
  },
  {
    name: 'scans in the order of the subjects',
    off: () => replaceMethod(DatasetView.prototype, 'bySubject', () => () => undefined),
  },
];

/** Turns several fast paths off; returns a function that turns them on again. */
export function turnOff(paths: readonly FastPath[]): () => void {
  const on = paths.map((path) => path.off());
  return () => {
    for (const turnOn of on) turnOn();
  };
}
