// Builds all packages: `npm run build`.
import { buildPackages } from './package-build.mjs';

try {
  buildPackages({ onlyStale: false });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
