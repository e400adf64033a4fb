import { defineConfig } from 'vitest/config';
// vitest 4 no longer reads vitest.workspace.ts by itself, so it is handed over here.
import projects from './vitest.workspace.ts';

export default defineConfig({ test: { projects } });
