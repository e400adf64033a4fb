import { expect, it } from 'vitest';
import { idsSql } from '../../src/workloads/ids-sql.ts';

it('translates patterns to joins, and joins only the terms that are read', () => {
  expect(idsSql('SELECT p.text FROM {o product p, o price v, o comment? c} WHERE v.number < 5 AND $o <> 7')).toBe(
    `SELECT p.text FROM product t0
  JOIN price t1 ON t1.s = t0.s
  LEFT JOIN comment t2 ON t2.s = t0.s
  JOIN terms p ON p.id = t0.o
  JOIN terms v ON v.id = t1.o WHERE v.number < 5 AND t0.s <> 7`,
  );
});

it('left-joins the term of an optional object', () => {
  expect(idsSql('SELECT c.text FROM {o price v, o comment? c}')).toContain('LEFT JOIN terms c ON c.id = t1.o');
});

it('leaves a text without patterns unchanged', () => {
  expect(idsSql('SELECT count(*) FROM about')).toBe('SELECT count(*) FROM about');
});

it('rejects a variable that occurs in no pattern', () => {
  expect(() => idsSql('SELECT $x FROM {o price v}')).toThrow('No pattern has the variable x');
});
