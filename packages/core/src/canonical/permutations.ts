/**
 * Yields the distinct permutations of a list, in ascending order, always in the same array (Knuth,
 * TAOCP 7.2.1.2, algorithm L). Equal items yield no duplicates.
 *
 * @param list ascending; permuted in place
 */
export function* permutations(list: number[]): Generator<readonly number[], void, void> {
  for (;;) {
    yield list;
    let rising = list.length - 2;
    while (rising >= 0 && list[rising] >= list[rising + 1]) rising--;
    if (rising < 0) return;
    let larger = list.length - 1;
    while (list[rising] >= list[larger]) larger--;
    swap(list, rising, larger);
    for (let left = rising + 1, right = list.length - 1; left < right; left++, right--) swap(list, left, right);
  }
}

function swap(list: number[], one: number, other: number): void {
  [list[one], list[other]] = [list[other], list[one]];
}
