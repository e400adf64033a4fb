import { expect, it } from 'vitest';
import { RevisionTokens } from '../src/revision-tokens.ts';

it('keeps the highest revision of each namespace, in whatever order answers arrive', () => {
  const tokens = new RevisionTokens();
  expect(tokens.header).toBeUndefined();
  const begun = tokens.begin();
  tokens.keep('a=5', begun);
  tokens.keep('a=3', begun);
  tokens.keep('b=1', begun);
  expect(tokens.header).toBe('b=1, a=5');
  for (const other of [null, '', 'a', 'a=', 'a=x', 'a=9, b=9']) tokens.keep(other, begun);
  expect(tokens.header).toBe('b=1, a=5');
});

it('replaces `latest` by revisions of requests that began after it arrived', () => {
  const tokens = new RevisionTokens();
  const before = tokens.begin();
  tokens.keep('a=5', before);
  tokens.keep('a=latest', before);
  tokens.keep('a=9', before);
  expect(tokens.header).toBe('a=latest');
  tokens.keep('a=7', tokens.begin());
  expect(tokens.header).toBe('a=7');
});

it('keeps no more than a header can hold, those written last', () => {
  const tokens = new RevisionTokens();
  for (let n = 0; n < 100; n++) tokens.keep(`n${n}=1`, tokens.begin());
  expect(tokens.header!.split(', ')).toHaveLength(64);
  expect(tokens.header).toMatch(/^n99=1, n98=1,/);
  for (let n = 0; n < 64; n++) tokens.keep(`${'n'.repeat(120)}${n}=1`, tokens.begin());
  expect(tokens.header!.length).toBeLessThan(6_000);
});
