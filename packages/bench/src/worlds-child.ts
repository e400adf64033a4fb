import { childWork } from './child-run.ts';
import { measureWorldsFootprint, type WorldsFootprintWork } from './worlds-footprint.ts';

process.stdout.write(JSON.stringify(await measureWorldsFootprint(childWork<WorldsFootprintWork>())));
