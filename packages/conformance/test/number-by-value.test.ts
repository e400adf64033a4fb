import { describe, expect, it } from 'vitest';
import { numberByValue } from '../src/number-by-value.ts';

const cell = (lexical: string, type: string) => `"${lexical}"^^<http://www.w3.org/2001/XMLSchema#${type}>`;

describe('numberByValue', () => {
  it.each([
    ['decimal', '2', '+02.00', true],
    ['decimal', '.5', '0.50', true],
    ['decimal', '0', '-0.0', true],
    ['decimal', '-1.6', '1.6', false],
    ['decimal', '10', '1', false],
    ['decimal', '0.10000000000000000001', '0.1', false],
    ['double', '1050', '1.05E3', true],
    ['double', '-INF', 'INF', false],
    ['double', '0', '-0', false],
    ['float', '2.0e-1', '0.2', true],
    ['integer', '1', '01', false],
    ['double', 'x', 'y', false],
    ['decimal', '', '.', false],
  ])('%s %s and %s: %s', (type, left, right, equal) => {
    expect(numberByValue(cell(left, type)) === numberByValue(cell(right, type))).toBe(equal);
  });

  it('keeps datatypes apart, and leaves other cells alone', () => {
    expect(numberByValue(cell('1', 'float'))).not.toBe(numberByValue(cell('1', 'double')));
    expect(numberByValue('<urn:a>')).toBe('<urn:a>');
    expect(numberByValue('"1"@en')).toBe('"1"@en');
  });
});
