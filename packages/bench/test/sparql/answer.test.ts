import { expect, it } from 'vitest';
import { difference } from '../../src/sparql/answer.ts';

const reference = { by: 'expected', answer: { rows: 10, chars: 200 } };
const given = (rows: number, chars: number) => ({ by: 'a peer', answer: { rows, chars } });

it.each([
  { rows: 10, chars: 200, anyRows: false, isRight: true },
  { rows: 10, chars: 199, anyRows: false, isRight: false },
  { rows: 9, chars: 200, anyRows: false, isRight: false },
  { rows: 10, chars: 199, anyRows: true, isRight: true },
  { rows: 9, chars: 200, anyRows: true, isRight: false },
])('$rows rows of $chars characters for 10 of 200, any rows: $anyRows', ({ rows, chars, anyRows, isRight }) => {
  expect(difference('star', anyRows, given(rows, chars), reference) === undefined).toBe(isRight);
});

it('a difference names the peer, its answer and the expected answer', () => {
  expect(difference('star', false, given(9, 180), reference)).toBe(
    'star: a peer 9 rows of 180 characters, expected 10 rows of 200 characters',
  );
});
