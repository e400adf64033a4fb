import { describe, expect, test } from 'vitest';
import { DEFAULT_REQUEST_LIMITS, WorldsEngine } from '../../src/index.ts';
import { ExpansionMeter, limitExceeded, requestLimits } from '../../src/model/request-limits.ts';

describe('the limits of requests', () => {
  test('are the defaults unless others are given', () => {
    expect(requestLimits()).toEqual(DEFAULT_REQUEST_LIMITS);
    expect(requestLimits({ maxNesting: 7, maxIriLength: undefined })).toEqual({
      ...DEFAULT_REQUEST_LIMITS,
      maxNesting: 7,
    });
    expect(requestLimits({ maxPatterns: Number.POSITIVE_INFINITY }).maxPatterns).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    [{ maxPattern: 3 }, /there is no limit "maxPattern"; the limits are .*maxPatterns/],
    [{ maxPatterns: 0 }, /maxPatterns: expected a positive integer/],
    [{ maxPatterns: 1.5 }, /maxPatterns: expected a positive integer/],
    [{ maxPatterns: '9' }, /maxPatterns: expected a positive integer/],
    [{ toString: 3 }, /there is no limit "toString"/],
  ])('refuse %j', async (limits, message) => {
    await expect(WorldsEngine.open({ limits: limits as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
    });
  });

  test('are named by the error, with the value, the location and what to do', () => {
    const error = limitExceeded('maxOperations', requestLimits({ maxOperations: 5 }), { line: 2, column: 3 });
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', location: { line: 2, column: 3 } });
    expect(error.message).toMatch(/maxOperations = 5 \(operations of one update\): .*split the update/);
  });
});

describe('the expansion of names', () => {
  const limits = requestLimits({ maxIriLength: 100, maxExpansionBytes: 1000, maxExpansionFactor: 3 });

  test('may add a little to any text, and a multiple of its length to a long one', () => {
    const meter = new ExpansionMeter(limits);
    for (let i = 0; i < 10; i++) meter.claim(100, 100, 0);
    expect(() => meter.claim(1, 1, 0)).toThrow(/maxExpansionBytes = 1000/);
    expect(() => meter.claim(1, 1, 10_000)).not.toThrow();
  });

  test('does not make an IRI that is too long', () => {
    const meter = new ExpansionMeter(limits);
    expect(() => meter.claim(101, 0, 0)).toThrow(/maxIriLength = 100/);
  });
});
