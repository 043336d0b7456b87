// Entry of the bundle behind `npm run -s sim`: gives the command line its host and its exit code.
// Never calls process.exit while output may be under way: a pipe would lose its end.

import * as sim from '../sim/api.ts';
import { nodeIo } from './node_io.ts';
import { runCli } from './run_cli.ts';

// A reader that has seen enough (`| head`) closes the pipe; that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await runCli(process.argv.slice(2), nodeIo(), sim);
