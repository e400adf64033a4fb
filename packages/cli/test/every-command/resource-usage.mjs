// Loaded into a command that is measured: writes what its process used to a file when it ends.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    writeFileSync(process.env.RESOURCE_USAGE_FILE, JSON.stringify(process.resourceUsage()));
  });
