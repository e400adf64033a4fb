import { defineConfig } from 'vitest/config';
// vitest 4 no longer reads vitest.workspace.ts by itself, so it is handed over here.
import projects from './vitest.workspace.ts';

// Vitest alone would leave one core to itself, which of two is half of the time.
export default defineConfig({ test: { projects, maxWorkers: '100%' } });
