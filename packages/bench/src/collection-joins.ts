import { ACADEMIC, RDF_TYPE } from './academic-data.ts';
import type { CursorJoin } from './cursor-join.ts';

/**
 * Joins over the academic data; together they use every way to look up a triple by one or two
 * terms.
 */
export const COLLECTION_JOINS: readonly CursorJoin[] = [
  {
    name: 'star: students, names, departments',
    patterns: [
      ['?student', RDF_TYPE, `${ACADEMIC}Student`],
      ['?student', `${ACADEMIC}name`, '?name'],
      ['?student', `${ACADEMIC}memberOf`, '?department'],
    ],
  },
  {
    name: 'chain: advisor, department, university',
    patterns: [
      ['?student', `${ACADEMIC}advisor`, '?professor'],
      ['?professor', `${ACADEMIC}worksFor`, '?department'],
      ['?department', `${ACADEMIC}partOf`, '?university'],
    ],
  },
  {
    name: 'fan-out: courses, who takes them, who advises',
    patterns: [
      ['?course', `${ACADEMIC}taughtBy`, '?teacher'],
      ['?student', `${ACADEMIC}takes`, '?course'],
      ['?student', `${ACADEMIC}advisor`, '?advisor'],
    ],
  },
  {
    name: 'selective: one interest, courses, students',
    patterns: [
      ['?professor', `${ACADEMIC}interest`, '"sparse graphs"'],
      ['?course', `${ACADEMIC}taughtBy`, '?professor'],
      ['?student', `${ACADEMIC}takes`, '?course'],
    ],
  },
];
