import { DatasetView } from '../../../src/quads/dataset-view.ts';
import { RangeTable } from '../../../src/sparql/exec/range-table.ts';
import { StoredTexts } from '../../../src/sparql/exec/stored-texts.ts';
import { Conditions } from '../../../src/sparql/plan/conditions.ts';
import { StoredValues } from '../../../src/sparql/vectors/stored-values.ts';

/** A shorter way to a result, which can be turned off: the general way must give the same. */
export interface FastPath {
  readonly name: string;
  /** Turns it off for all engines of the process, and returns what turns it on again. */
  off(): () => void;
}

/** Replaces a method, and returns what puts it back. */
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
    // One key for all: the join is a product then, and the condition above it decides each row.
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
    // Every pair with the same terms, of which the conditions above decide.
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

/** Turns several fast paths off, and returns what turns them on again. */
export function turnOff(paths: readonly FastPath[]): () => void {
  const on = paths.map((path) => path.off());
  return () => {
    for (const turnOn of on) turnOn();
  };
}
