import { inject } from 'vitest';
import { runChildrenOf } from '../src/child-run.ts';
import { collectBeforeMeasuring } from '../src/idle.ts';

runChildrenOf(inject('programs'));
collectBeforeMeasuring(false);
