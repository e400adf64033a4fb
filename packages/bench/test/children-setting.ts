import { inject } from 'vitest';
import { runChildrenOf } from '../src/child-run.ts';

runChildrenOf(inject('programs'));
